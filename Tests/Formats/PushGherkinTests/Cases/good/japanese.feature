#language:ja
機能: x

  シナリオアウトライン: y
    前提<a>が
    かつb
    もしc
    サンプル:
    | a |
    | 1 |
