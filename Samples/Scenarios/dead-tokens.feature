@tokens
Feature: Tokens that lead nowhere
  Each push service has its own error for a token that is not valid, or no longer. The sender must stop using it.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario: APNs says since when
    Given the device "anna" with:
      | unregistered_at | 2026-01-01T11:00:00Z |
    When a push '{"aps":{"alert":"Hello?"}}' arrives
    Then the provider answers 410 Unregistered
    And the token has been dead since 2026-01-01T11:00:00Z

  Scenario Outline: Each provider in its own words: <reason>
    Given the device "anna" with:
      | platform     | android |
      | unregistered | true    |
    When a push '<record>' arrives
    Then the provider answers <status> <reason>

    Examples:
      | record                                 | status | reason        |
      | {"to":"anna","data":{}}                | 200    | NotRegistered |
      | {"message":{"token":"anna","data":{}}} | 404    | UNREGISTERED  |

  Scenario: What is held for a token that dies is dropped
    Given the device "anna" goes away
    When a push '{"aps":{"alert":"Hello?"}}' arrives
    And the token of "anna" dies
    Then record 2 is later "discarded" because of "unregistered"

  Scenario: A token that dies later is good until then
    Given the device "anna" with:
      | unregistered_at | 2026-01-01T12:01:00Z |
    When a push '{"aps":{"alert":"One"}}' arrives
    Then the outcome is "delivered"
    When 60s pass
    And a push '{"aps":{"alert":"Two"}}' arrives
    Then the provider answers 410 Unregistered
    And the token has been dead since 2026-01-01T12:01:00Z

  Scenario: A token that is registered again is good
    Given the token of "anna" dies
    And the device "anna" with:
      | unregistered | false |
    When a push '{"aps":{"alert":"Hello again"}}' arrives
    Then the outcome is "delivered"

  @gcm
  Scenario: A token for which another stands still works, and the answer names the other one
    Given the device "anna" with:
      | platform  | android |
      | canonical | bela    |
    When a push '{"to":"anna","data":{}}' arrives
    Then the outcome is "silent"
    And the provider is told to go on with "bela"

  Scenario: The feedback lists what the sender must delete or replace
    Given the device "carl" with:
      | platform  | android |
      | canonical | dora    |
    Then the feedback is:
      | device | replacement |
      | carl   | dora        |
    Given the device "anna" with:
      | app | org.example.news |
    When the token of "anna" dies
    Then the feedback is:
      | device | app              | replacement |
      | carl   |                  | dora        |
      | anna   | org.example.news |             |

  Scenario: The feedback says since when a token is dead
    Then the feedback is empty
    Given the device "anna" with:
      | unregistered_at | 2026-01-01T11:00:00Z |
    Then the feedback is:
      | device | since                |
      | anna   | 2026-01-01T11:00:00Z |

  Rule: A token is to be known, and known for the app

    Background:
      Given unknown devices are rejected

    Scenario Outline: One that nobody has registered: <reason>
      When a push '<record>' arrives
      Then the provider answers <status> <reason>

      Examples:
        | record                                 | status | reason         |
        | {"aps":{"alert":"Hello?"}}             | 400    | BadDeviceToken |
        | {"to":"anna","data":{}}                | 200    | NotRegistered  |
        | {"message":{"token":"anna","data":{}}} | 404    | UNREGISTERED   |

    Scenario Outline: One of another app: <reason>
      Given the device "anna" with:
        | app | org.example.chess |
      When a push '<record>' arrives
      Then the provider answers <status> <reason>

      Examples:
        | record                                                               | status | reason                 |
        | {"aps":{"alert":"Hello?"}}                                           | 400    | DeviceTokenNotForTopic |
        | {"to":"anna","restricted_package_name":"org.example.news","data":{}} | 200    | InvalidPackageName     |

    Scenario Outline: A topic is nobody's token: <record>
      When a push '<record>' arrives
      Then the outcome is "silent"

      Examples:
        | record                                 |
        | {"to":"/topics/news","data":{}}        |
        | {"message":{"topic":"news","data":{}}} |
