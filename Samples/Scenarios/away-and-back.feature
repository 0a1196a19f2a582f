@apns @fcm
Feature: A device that is away
  A provider keeps messages until the device is back: Apple's the newest one of each app, Google's one for each of four collapse keys and a
  hundred without a key. What is kept too long is discarded.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  @apns
  Rule: An Apple device gets the newest one

    Background:
      Given the device "anna" goes away

    Scenario: One push is held, and arrives
      When a push '{"aps":{"alert":"One"}}' arrives
      Then the outcome is "held"
      And the screen of "anna" is empty
      When the device "anna" is back
      Then record 2 is later "delivered"
      And the screen of "anna" shows 1 notification

    Scenario: The newest one wins, whatever the collapse ids
      When a push '{"headers":{"apns-collapse-id":"a"},"payload":{"aps":{"alert":"One"}}}' arrives
      And a push '{"headers":{"apns-collapse-id":"b"},"payload":{"aps":{"alert":"Two"}}}' arrives
      Then record 2 is later "discarded" because of "superseded"
      And nothing has come of record 3 yet
      When the device "anna" is back
      Then record 3 is later "delivered"
      And the screen of "anna" shows:
        | body |
        | Two  |

    Scenario: Each app has a place of its own
      When a push '{"headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"News"}}}' arrives
      And a push '{"headers":{"apns-topic":"org.example.chess"},"payload":{"aps":{"alert":"Your move"}}}' arrives
      And the device "anna" is back
      Then record 2 is later "delivered"
      And record 3 is later "delivered"

    Scenario: Now or never
      When a push '{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"Now"}}}' arrives
      Then the outcome is "expired"
      And the reason is "not-stored"

    Scenario Outline: Kept until its time is up: <passed>
      When a push '{"headers":<headers>,"payload":{"aps":{"alert":"Late"}}}' arrives
      And <passed> pass
      And the device "anna" is back
      Then record 2 is later "<outcome>"

      Examples: The clock of a scenario begins at 2026-01-01T12:00:00Z, which is 1767268800
        | headers                          | passed | outcome   |
        | {"apns-expiration":"1767268860"} | 59s    | delivered |
        | {"apns-expiration":"1767268860"} | 60s    | expired   |
        | {}                               | 29d    | delivered |
        | {}                               | 30d    | expired   |

  @fcm
  Rule: An Android device gets what its collapse keys say

    Background:
      Given the device "anna" with:
        | platform | android |
        | online   | false   |

    Scenario: Messages with one key take each other's place
      When the following pushes arrive:
        """
        {"to":"anna","collapse_key":"score","data":{"goals":"1"}}
        {"to":"anna","collapse_key":"score","data":{"goals":"2"}}
        """
      Then record 2 is later "discarded" because of "superseded"
      When the device "anna" is back
      Then record 3 is later "silent"

    Scenario: A fifth key drives out the one that was used the longest time ago
      When the following pushes arrive:
        """
        {"to":"anna","collapse_key":"a","data":{}}
        {"to":"anna","collapse_key":"b","data":{}}
        {"to":"anna","collapse_key":"c","data":{}}
        {"to":"anna","collapse_key":"d","data":{}}
        {"to":"anna","collapse_key":"e","data":{}}
        """
      Then record 2 is later "discarded" because of "too-many-collapse-keys"

    Scenario: A time to live
      When a push '{"to":"anna","time_to_live":60,"data":{}}' arrives
      And 60s pass
      Then record 2 is later "expired"
