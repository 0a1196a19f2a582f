Feature: Doc strings

  Scenario: what is in them is not looked at
    Given one
      """
      Feature: no
        # no comment
    less far in
      | no | table |

      \"\"\" and ```
      """
    And with backticks
      ```application/json
      """
      \`\`\`
      ```
    But an empty one
      """
      """ what comes behind it is not looked at
