@preferences @app
Feature: Settings, permission, devices and screens are one state
  What the user switches on the settings screen decides which pushes the device shows. What happens to the device is seen
  on the settings screen.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.wikimedia.wikipedia"
    And the app has the settings in "../Preferences/wikipedia.yml"
    And the app on "anna" is "foreground"
    When the user logs in as "Anna" at "en.wikipedia.org"
    And the user switches "mention" on

  Scenario: Only what is switched on is shown, and marks the bell
    When a push '{"aps":{"alert":"Bela thanked you","category":"edit-thank"}}' arrives
    Then the outcome is "suppressed"
    And the reason is "type-off"
    When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the app does "banner, list, mark-bell"
    And the screen of "anna" shows:
      | body               |
      | Bela mentioned you |

  Scenario: A push of no type has no switch
    When a push '{"aps":{"alert":"Hello"}}' arrives
    Then the outcome is "delivered"

  Scenario: A type that was switched off is not shown when the device is back
    Given the device "anna" goes away
    When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    And the user switches "mention" off
    And the device "anna" is back
    Then record 3 is later "suppressed" because of "type-off"

  Scenario: Permission that is withdrawn moves a switch back, and its types stay on
    Given the device "anna" with:
      | authorization | denied |
    When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the reason is "denied"
    When the user switches "cx" on
    Then the switch "cx" is off
    And the user is told "not allowed"
    And the switch "mention" is on

  Scenario: Permission that the device had before is not asked for
    When the user logs out
    Given the device "anna" with:
      | authorization | authorized |
    When the user logs in as "Bela" at "en.wikipedia.org"
    And the user switches "mention" on
    And a push '{"aps":{"alert":"Cleo mentioned you","category":"mention"}}' arrives
    Then the outcome is "delivered"

  Scenario: A type that another device has switched on is on here
    When the following event happens:
      """
      {"event":"preference","device":"anna","type":"edit-thank","on":true}
      """
    Then the switch "edit-thank" is on
    And the wiki "en.wikipedia.org" keeps "edit-thank, mention"

  Scenario: A logout by the device is one on the settings screen
    Given the device "anna" with:
      | logged_in | false |
    Then the settings are not offered
    When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the reason is "logged-out"

  Scenario: The place where a push names its type can be another one
    Given the "/type" of a push says its type
    When a push '{"aps":{"alert":"Bela thanked you","category":"mention"},"type":"edit-thank"}' arrives
    Then the reason is "type-off"
