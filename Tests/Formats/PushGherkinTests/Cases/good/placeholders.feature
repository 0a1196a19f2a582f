Feature: Placeholders are replaced once, from the left

  Scenario Outline: <count> <what> of <who>
    # A header may hold what looks like a placeholder; the whole of it is looked for, in the order of the columns.
    Given <count> of <<what>>
    When <who> has <unknown>
    Then the payload is
      """<what>
      {"aps":{"alert":"<who>"}}
      """
    And the table is
      | <who> | <count>x |

    Examples:
      | count | what    | who    | what  |
      | 1     | <count> | a \| b | twice |
      | 2     | <who>   | c\\d   | twice |
