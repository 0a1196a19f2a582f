@apns
Feature: A push takes the place of an earlier one by its collapse id
  The request identifier of a notification is its apns-collapse-id. A later push to the same app with the same id updates
  the notification in place, without the flicker of removing one and showing another.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario: A running count
    When the following pushes arrive:
      """
      {"headers":{"apns-collapse-id":"result"},"payload":{"aps":{"alert":{"title":"Result","body":"Polls have closed"}}}}
      {"headers":{"apns-collapse-id":"result"},"payload":{"aps":{"alert":{"title":"Result","body":"12 of 98 districts"}}}}
      """
    Then the outcome of record 1 is "delivered"
    And the outcome of record 2 is "replaced"
    And the notification replaces record 1
    And the identifier is "result"
    And the screen of "anna" shows 1 notification
    And the screen of "anna" shows:
      | title  | body               | record |
      | Result | 12 of 98 districts | 2      |
    And the journal of "anna" is:
      | event     | identifier |
      | delivered | result     |
      | replaced  | result     |

  Scenario Outline: What differs in <what> stays
    When a push '{"headers":{"apns-collapse-id":"result"},"payload":{"aps":{"alert":"One"}}}' arrives
    Given pushes that name no device go to "<device>"
    And pushes that name no app are for "<app>"
    When a push '{"headers":{"apns-collapse-id":"<id>"},"payload":{"aps":{"alert":"Two"}}}' arrives
    Then the notification replaces nothing
    And the screen of "anna" shows <left> notifications

    Examples:
      | what       | device | app               | id     | left |
      | the id     | anna   | org.example.news  | other  | 2    |
      | the app    | anna   | org.example.chess | result | 2    |
      | the device | bela   | org.example.news  | result | 1    |

  Scenario: An id that is too long is refused, and what is on the screen stays
    When a push '{"headers":{"apns-collapse-id":"result"},"payload":{"aps":{"alert":"One"}}}' arrives
    And the following push arrives:
      """
      {"headers":{"apns-collapse-id":"0123456789012345678901234567890123456789012345678901234567890123-65"},"payload":{"aps":{"alert":"Two"}}}
      """
    Then the provider answers 400 BadCollapseId
    And the screen of "anna" shows 1 notification
