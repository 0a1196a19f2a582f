@permission
Feature: What keeps a push from being shown
  A push that the provider accepts is not shown when the user does not want it. The report gives the reason.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario Outline: <reason>
    Given the device "anna" with:
      | <member> | <value> |
    When a push '{"aps":{"alert":"Hello"}}' arrives
    Then the outcome is "suppressed"
    And the reason is "<reason>"
    And the screen of "anna" is empty

    Examples:
      | member        | value               | reason              |
      | authorization | denied              | denied              |
      | authorization | not-determined      | not-determined      |
      | alerts        | false               | alerts-off          |
      | logged_in     | false               | logged-out          |
      | registration  | pending             | not-registered      |
      | registration  | failed              | registration-failed |
      | registration  | subscription-failed | subscription-failed |

  Scenario: A push that only wakes the app needs no permission, and none reaches an app that was force-quit
    Given the device "anna" with:
      | authorization | denied |
    When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
    Then the outcome is "silent"
    When the following event happens:
      """
      {"event":"device","device":"anna","state":"force-quit"}
      """
    And a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
    Then the reason is "force-quit"

  Scenario: Alerts that are switched off leave the number on the icon
    Given the device "anna" with:
      | alerts | false |
    When a push '{"aps":{"alert":"Hello","badge":3}}' arrives
    Then the reason is "alerts-off"
    And the badge on "anna" is 3

  Scenario: Badges that are switched off leave the number, and nothing else
    Given the device "anna" with:
      | badges | false |
    When a push '{"aps":{"alert":"Hello","badge":3}}' arrives
    Then the outcome is "delivered"
    And there is no badge on "anna"

  Scenario: What is kept out of Notification Center has a banner, or is not shown
    Given the device "anna" with:
      | notification_center | false |
    When a push '{"aps":{"alert":"Hello"}}' arrives
    Then the outcome is "presented"
    And the screen of "anna" is empty
    When a push '{"aps":{"alert":"Hello","interruption-level":"passive"}}' arrives
    Then the reason is "notification-center-off"

  Scenario: The user switches parts of an app's notifications off, and on again
    When the user switches badges off in the system's settings of "anna"
    And a push '{"aps":{"alert":"One","badge":3}}' arrives
    Then there is no badge on "anna"
    When the user switches badges on in the system's settings of "anna"
    And a push '{"aps":{"alert":"Two","badge":4}}' arrives
    Then the badge on "anna" is 4
    When the user switches Notification Center off in the system's settings of "anna"
    And a push '{"aps":{"alert":"Three"}}' arrives
    Then the outcome is "presented"
    When the user switches Notification Center on in the system's settings of "anna"
    And the user switches the lock screen off in the system's settings of "anna"
    And a push '{"aps":{"alert":"Four"}}' arrives
    Then the outcome is "delivered"
    When the user switches the lock screen on in the system's settings of "anna"
    Then the screen of "anna" shows 3 notifications

  @app
  Scenario: Sounds that are switched off are not played
    Given the app on "anna" is "foreground"
    And the app on "anna" is "background"
    When the user switches sounds off in the system's settings of "anna"
    And a push '{"aps":{"alert":"One","sound":"default"}}' arrives
    Then the app does "banner, list, mark-bell"
    When the user switches sounds on in the system's settings of "anna"
    And a push '{"aps":{"alert":"Two","sound":"default"}}' arrives
    Then the app does "banner, list, sound"
