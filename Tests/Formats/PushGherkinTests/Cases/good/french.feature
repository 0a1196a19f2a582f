# language: fr
  Fonctionnalité: i18n

  Règle: une

    Plan du scénario: p
      Etant donné que <x>
      Et qu'il
      Quand z
      Exemples:
        | x |
        | a　|
