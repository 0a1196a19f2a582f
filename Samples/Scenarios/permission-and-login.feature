@preferences @app
Feature: The user changes permission, login and language
  The user leaves the app for the system's settings and comes back, logs in and out, and changes the device's language. The
  app's settings follow.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.wikimedia.wikipedia"
    And the app has the settings in "../Preferences/wikipedia.yml"
    And the app on "anna" is "foreground"

  Scenario: Permission that is granted later
    Given the user will not allow notifications
    When the user logs in as "Anna"
    And the user switches "mention" on
    Then the switch "mention" is off
    When the user allows notifications in the system's settings of "anna"
    Then the app does "come-to-front"
    When the user switches "mention" on
    And a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the outcome is "delivered"

  Scenario: Permission and alerts that are withdrawn
    When the user logs in as "Anna"
    And the user switches "mention" on
    And the user switches alerts off in the system's settings of "anna"
    And a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the reason is "alerts-off"
    When the user switches alerts on in the system's settings of "anna"
    And the user forbids notifications in the system's settings of "anna"
    And a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    Then the reason is "denied"

  Scenario: To the settings and back
    When the user logs in as "Anna"
    And the user opens the centre on "anna"
    And the user opens the settings on "anna"
    Then the screen in front on "anna" is "settings"
    And the settings are offered
    When the user goes back on "anna"
    Then the screen in front on "anna" is "centre"

  Scenario: A tap while the settings are open leads to the centre
    When the user logs in as "Anna"
    And the user switches "mention" on
    And the user opens the settings on "anna"
    And a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
    And the user taps the notification on "anna"
    Then the screen in front on "anna" is "centre"
    When the user goes back on "anna"
    Then the screen in front on "anna" is "settings"

  Scenario Outline: The device's language chooses the wiki: <language>
    Given the language of the device is "<language>"
    When the user logs in as "Anna"
    Then the settings are those of "<wiki>"
    And a request to "<wiki>" switches every type off

    Examples: A few Wikipedias are not named for the code of their language
      | language   | wiki                      |
      | en         | en.wikipedia.org          |
      | de-AT      | de.wikipedia.org          |
      | zh-Hant-TW | zh.wikipedia.org          |
      | nb         | no.wikipedia.org          |
      | yue        | zh-yue.wikipedia.org      |

  Scenario: Another language takes the settings along
    When the user logs in as "Anna"
    And the user switches "mention" on
    Given the language of the device is "fr"
    Then the settings are those of "fr.wikipedia.org"
    And the wiki "fr.wikipedia.org" keeps "mention"

  Scenario: Whoever logs in on a device has no type on
    Given the "category" of a push says its type
    When the user logs in on "anna"
    And a push '{"aps":{"alert":"3:2","category":"sport"}}' arrives
    Then the reason is "type-off"
    When the user logs out on "anna"
    And a push '{"aps":{"alert":"3:2","category":"sport"}}' arrives
    Then the reason is "logged-out"
