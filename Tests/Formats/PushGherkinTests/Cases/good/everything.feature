# comment first
#  language : en

@one @two @three # a comment
@four
Feature: Everything
  A description
  # in it a comment

    with blanks   

  Background: prepared
    some words
    Given a thing
      | a | b |
      | 1 | 2 |
    And another

  Scenario: plain
    When it goes
    And it goes on
    Then "x" is
      """json
      {"a": 1}
        indented
     out
      \"\"\"
      """
    But not 3
    * star
    And more

  @s
  Scenario Outline: of <a> and <b>
    Given <a>
      | <a> | x<b>y |
      | \|  | \\n \n z |
    When <b>
      ```<a>
      text <b> \`\`\`
      ```
    Then <c>

    @e1 @e2
    Examples: first
      some text
      | a | b |
      | 1 | 2 |
      # comment
      | æ | 😀 <a> |

    Examples:

    @e3
    Scenarios:
      | a | b | c |

  Rule: rules
    described

    Background:
      Given in the rule

    @r
    Example: of the rule
      Then it holds

  @tagged
  # between

  @again
  Rule: second
    Scenario:
      Given nothing
