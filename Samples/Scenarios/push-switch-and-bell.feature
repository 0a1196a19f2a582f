@preferences @app
Feature: The push switch and the bell
  Above the switches of the types there is one for pushes as a whole. The bell is in the feed; when the user has switched
  the feed off, it is in the settings.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.wikimedia.wikipedia"
    And the app has the settings in "../Preferences/wikipedia.yml"
    And the app on "anna" is "foreground"
    When the user logs in as "Anna" at "en.wikipedia.org"

  Rule: The push switch

    Scenario: It is off until the user wants pushes, and asks for permission
      Then the push switch is off
      And the user has not been asked for permission
      When the user switches pushes on
      Then the user has been asked for permission
      And the push switch is on
      And the switch "mention" is off

    Scenario: Without permission it goes back
      Given the user will not allow notifications
      When the user switches pushes on
      Then the push switch is off
      And the user is told "not allowed"

    Scenario: While it is off nothing is pushed, and the feed still has the bell
      When the user switches "mention" on
      And the user switches pushes off
      And a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
      Then the outcome is "suppressed"
      And the reason is "not-registered"
      And the push switch is off
      And the bell is in the feed
      And the bell on "anna" is not marked

    Scenario: Switched on again, the types are as they were
      When the user switches "mention" on
      And the user switches pushes off
      And the user switches pushes on
      Then the switch "mention" is on
      When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
      Then the outcome is "delivered"

  Rule: The bell has four states

    Background:
      When the user switches "mention" on

    Scenario Outline: The feed is <feed>
      Given the feed is <feed>
      Then the bell is in the <place>
      And the bell on "anna" is not marked
      When a push '{"aps":{"alert":"Bela mentioned you","category":"mention"}}' arrives
      Then the bell is in the <place>
      And the bell on "anna" is marked

      Examples:
        | feed | place    |
        | on   | feed     |
        | off  | settings |

    Scenario: Logged out, there is none
      When the user logs out
      Then there is no bell
