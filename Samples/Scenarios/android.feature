@app
Feature: Messages on an Android device
  While the app is in the foreground it gets every message itself, and the system shows nothing. In the background the
  system shows notifications, and the app gets messages of data alone. Source: Firebase, "Receive messages in Android
  apps".

  Background:
    Given the device "pixel" with:
      | platform | android    |
      | state    | foreground |

  Scenario Outline: An app in the foreground gets a message with <what>
    When a push '{"to":"pixel",<members>}' arrives
    Then the outcome is "silent"
    And the app does "fetch"
    And the screen of "pixel" is empty

    Examples:
      | what           | members                                           |
      | a notification | "notification":{"title":"Text"}                   |
      | data           | "data":{"match":"17"}                             |
      | both           | "notification":{"title":"Text"},"data":{"a":"17"} |

  Scenario Outline: In the background a message with <what> is <outcome>
    Given the app on "pixel" is "background"
    When a push '{"message":{"token":"pixel",<members>}}' arrives
    Then the outcome is "<outcome>"
    And the app does "<steps>"

    Examples:
      | what           | members                                           | outcome   | steps       |
      | a notification | "notification":{"title":"Text"}                   | delivered |             |
      | data           | "data":{"match":"17"}                             | silent    | wake, fetch |
      | both           | "notification":{"title":"Text"},"data":{"a":"17"} | delivered |             |

  Scenario: An app shows as many notifications as Android lets it
    Given at most 2 notifications of an Android app
    And the app on "pixel" is "background"
    When a push '{"to":"pixel","notification":{"title":"One","tag":"one"}}' arrives
    And a push '{"to":"pixel","notification":{"title":"Two","tag":"two"}}' arrives
    And a push '{"to":"pixel","notification":{"title":"Three","tag":"three"}}' arrives
    Then the outcome is "suppressed"
    And the reason is "too-many-notifications"
    When a push '{"to":"pixel","notification":{"title":"Two again","tag":"two"}}' arrives
    Then the outcome is "replaced"
    And the screen of "pixel" shows 2 notifications

  Scenario: Messages of normal priority wait while the device is in Doze
    Given the app on "pixel" is "background"
    When the device "pixel" falls into Doze
    And a push '{"to":"pixel","priority":"normal","notification":{"title":"Later"}}' arrives
    Then the outcome is "held"
    And the reason is "doze"
    When a push '{"to":"pixel","priority":"high","notification":{"title":"Now"}}' arrives
    Then the outcome is "delivered"
    When the device "pixel" leaves Doze
    Then the screen of "pixel" shows 2 notifications
