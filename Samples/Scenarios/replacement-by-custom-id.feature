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

  Scenario: How long neither is on the screen
    Given the extension's removals are "delayed:50"
    And the extension waits "200ms" after a removal
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed","mutable-content":1},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted","mutable-content":1},"custom-payload-id":"national"}
      """
    Then the journal of "default" is:
      | event     | record | at                       |
      | delivered | 1      | 2026-01-01T12:00:00.000Z |
      | removed   | 2      | 2026-01-01T12:00:00.051Z |
      | delivered | 2      | 2026-01-01T12:00:00.201Z |

  Scenario: A removal that is lost leaves both
    Given the extension's removals are "lost-after-handler:300"
    And the extension waits "200ms" after a removal
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed","mutable-content":1},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted","mutable-content":1},"custom-payload-id":"national"}
      """
    Then every outcome is "delivered"
    And the screen of "default" shows 2 notifications

  Scenario: Without mutable-content both stand
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed"},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted"},"custom-payload-id":"national"}
      """
    Then every outcome is "delivered"
    And the screen of "default" shows 2 notifications
    And the extension of record 2 is not started because of "not-mutable"

  Scenario: What mutable-content would change
    Given the extension gets pushes without mutable-content, too
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed"},"custom-payload-id":"national"}
      {"aps":{"alert":"4 percent counted"},"custom-payload-id":"national"}
      """
    Then the outcome is "reposted"
    And the screen of "default" shows 1 notification

  Scenario: A push that shows nothing starts no extension
    When the following pushes arrive:
      """
      {"aps":{"alert":"Polls have closed","mutable-content":1},"custom-payload-id":"national"}
      {"aps":{"content-available":1,"mutable-content":1},"custom-payload-id":"national"}
      """
    Then the extension of record 2 is not started because of "no-alert"
    And the screen of "default" shows 1 notification

  Scenario: Without permission no extension is started
    Given the device "anna" with:
      | authorization | denied |
    And pushes that name no device go to "anna"
    When a push '{"aps":{"alert":"Polls have closed","mutable-content":1},"custom-payload-id":"national"}' arrives
    Then the outcome is "suppressed"
    And the extension of record 2 is not started because of "not-authorized"

  Scenario: Typed ids differ when their types do
    Given an extension that replaces by "custom-payload-id" as follows:
      | compare | typed |
    When the following pushes arrive:
      """
      {"aps":{"alert":"District 17: counting","mutable-content":1},"custom-payload-id":17}
      {"aps":{"alert":"District 17: counted","mutable-content":1},"custom-payload-id":"17"}
      {"aps":{"alert":"District 17: final","mutable-content":1},"custom-payload-id":17.0}
      """
    Then the outcome of record 2 is "delivered"
    And the outcome of record 3 is "reposted"
    And the notification replaces record 1

  Rule: An extension that removes the first match and compares optional strings
    It compares with `as? String`: two notifications without an id are the same to it.

    Background:
      Given an extension that replaces by "custom-payload-id" as follows:
        | match   | first  |
        | missing | equal  |
        | compare | string |

    Scenario: Of two earlier ones only the oldest goes
      When the following pushes arrive:
        """
        {"aps":{"alert":"Polls have closed"},"custom-payload-id":"national"}
        {"aps":{"alert":"4 percent counted"},"custom-payload-id":"national"}
        {"aps":{"alert":"38 percent counted","mutable-content":1},"custom-payload-id":"national"}
        """
      Then the outcome is "reposted"
      And the notification replaces record 1
      And the screen of "default" shows:
        | body               |
        | 38 percent counted |
        | 4 percent counted  |

    Scenario: A push without an id removes another one without
      When the following pushes arrive:
        """
        {"aps":{"alert":"Your ballot has arrived"}}
        {"aps":{"alert":"Polls close in an hour","mutable-content":1}}
        """
      Then the outcome is "reposted"
      And the screen of "default" shows:
        | body                   |
        | Polls close in an hour |

    Scenario: A number is not a string, so it counts as missing
      When the following pushes arrive:
        """
        {"aps":{"alert":"District 17: counting"},"custom-payload-id":17}
        {"aps":{"alert":"District 18: counting","mutable-content":1},"custom-payload-id":18}
        """
      Then the outcome is "reposted"
      And the screen of "default" shows:
        | body                  |
        | District 18: counting |
