@apns @fcm
Feature: A device that is away
  A provider keeps messages until the device is back. Apple keeps the newest one of each app; Google keeps one for each
  of four collapse keys, and a hundred without a key.

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

    Scenario: What was sent before its user said no is not shown
      When a push '{"aps":{"alert":"One"}}' arrives
      Given the device "anna" with:
        | authorization | denied |
      When the device "anna" is back
      Then record 2 is later "suppressed" because of "denied"
      And the screen of "anna" is empty

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

    Scenario: Both forms of Google's messages share the four keys, and one that is used again counts as new
      When the following pushes arrive:
        """
        {"to":"anna","collapse_key":"a","data":{}}
        {"to":"anna","collapse_key":"b","data":{}}
        {"message":{"token":"anna","android":{"collapse_key":"c"},"data":{}}}
        {"message":{"token":"anna","android":{"collapseKey":"d"},"data":{}}}
        {"to":"anna","collapse_key":"a","data":{}}
        {"message":{"token":"anna","android":{"collapse_key":"e"},"data":{}}}
        """
      Then record 2 is later "discarded" because of "superseded"
      And record 3 is later "discarded" because of "too-many-collapse-keys"
      When the device "anna" is back
      Then record 6 is later "silent"
      And record 7 is later "silent"

    Scenario: A notification goes by its app's name, a data message by none
      When the following pushes arrive:
        """
        {"message":{"token":"anna","notification":{"title":"One"}}}
        {"message":{"token":"anna","notification":{"title":"Two"}}}
        {"message":{"token":"anna","data":{"n":"1"}}}
        {"message":{"token":"anna","data":{"n":"2"}}}
        """
      Then record 2 is later "discarded" because of "superseded"
      When the device "anna" is back
      Then record 3 is later "delivered"
      And record 4 is later "silent"
      And record 5 is later "silent"

    Scenario: A hundred messages without a key wait; one more, and all are dropped
      When the following push arrives:
        """
        {"data":{"n":"1 to 100"},"registration_ids":[
          "anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna",
          "anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna",
          "anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna",
          "anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna",
          "anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna","anna"]}
        """
      Then every outcome is "held"
      When a push '{"to":"anna","data":{"n":"101"}}' arrives
      Then the outcome is "discarded"
      And the reason is "too-many-pending"
      And record 2 is later "discarded" because of "too-many-pending"
      When a push '{"to":"anna","data":{"n":"102"}}' arrives
      Then the outcome is "held"
      When the device "anna" is back
      Then the app is told of 101 dropped messages
      And record 4 is later "silent"
