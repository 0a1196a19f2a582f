Feature: Rows of different length

  Scenario Outline: a
    Given b
      | 1 | 2 |
      | 3 |
      | 4 | 5 | 6 |
    When c

    Examples:
      | a | b |

        | 1 |
