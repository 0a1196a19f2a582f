# language: en
@gcm @fcm
Feature: A notification takes the place of an earlier one by its tag
  On Android the tag decides. A collapse key does not: it replaces messages that are stored for a device that is away.

  Scenario: A goal
    When the following pushes arrive:
      """
      {"to":"dAnna","notification":{"title":"Rovers – United 0:0","tag":"match-17"}}
      {"to":"dAnna","notification":{"title":"Rovers – United 1:0","body":"Okafor, 23′","tag":"match-17"}}
      """
    Then the notification replaces record 1
    And the screen of "dAnna" shows:
      | identifier | title               | body        |
      | match-17   | Rovers – United 1:0 | Okafor, 23′ |

  Scenario: The same collapse key, and no tag
    When the following pushes arrive:
      """
      {"to":"dAnna","collapse_key":"score","notification":{"title":"0:0"}}
      {"to":"dAnna","collapse_key":"score","notification":{"title":"1:0"}}
      """
    Then the notification replaces nothing
    And the screen of "dAnna" shows 2 notifications

  Rule: Data messages show nothing

    Scenario: Nothing to replace
      When the following push arrives:
        """
        {"to":"dAnna","data":{"match":"17","score":"1:0"}}
        """
      Then the outcome is "silent"
      And the screen of "dAnna" is empty
