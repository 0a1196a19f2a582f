@apns @extension
Feature: An extension replaces by an id of one's own
  Without a collapse id, a Notification Service Extension can remove the earlier notification with the same id of its own.
  The old one disappears before the new one is shown: a flicker that the journal records. It needs mutable-content.

  Background:
    Given an extension that replaces by "custom-payload-id"

  Scenario: The earlier one is removed
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed","mutable-content":1},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted","mutable-content":1},"custom-payload-id":"national"}
      """
    Then the outcome is "reposted"
    And the notification replaces record 1
    And the journal of "default" is:
      | event     | record |
      | delivered | 1      |
      | removed   | 2      |
      | delivered | 2      |

  Scenario: Without mutable-content both stand
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed"},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted"},"custom-payload-id":"national"}
      """
    Then every outcome is "delivered"
    And the screen of "default" shows 2 notifications
