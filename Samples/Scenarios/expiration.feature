@apns @fcm
Feature: How long a message is kept
  A provider keeps a message for a device that is away for as long as the sender asks, up to the provider's limit: 30 days
  for Apple, four weeks for Google. The clock of a scenario starts at 2026-01-01T12:00:00Z, which is 1767268800.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  @apns
  Rule: Apple goes by apns-expiration

    Background:
      Given the device "anna" goes away

    Scenario Outline: Kept until its time is up: <headers>, <passed>
      When a push '{"headers":<headers>,"payload":{"aps":{"alert":"Late"}}}' arrives
      And <passed> pass
      And the device "anna" is back
      Then record 2 is later "<outcome>"

      Examples: The last time is in 2030
        | headers                          | passed | outcome   |
        | {"apns-expiration":"1767268860"} | 59s    | delivered |
        | {"apns-expiration":"1767268860"} | 60s    | expired   |
        | {}                               | 29d    | delivered |
        | {}                               | 30d    | expired   |
        | {"apns-expiration":"1893456000"} | 29d    | delivered |
        | {"apns-expiration":"1893456000"} | 30d    | expired   |

    Scenario: Now or never
      When a push '{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"Now"}}}' arrives
      Then the outcome is "expired"
      And the reason is "not-stored"

    Scenario: Too late already
      When a push '{"headers":{"apns-expiration":"1767268799"},"payload":{"aps":{"alert":"Late"}}}' arrives
      Then the outcome is "expired"
      And the reason is "expired"

    Scenario: What Google hands on to Apple is kept as Apple keeps it
      When the following pushes arrive:
        """
        {"message":{"token":"anna","apns":{"headers":{"apns-expiration":"1767268860"},"payload":{"aps":{"alert":"One"}}}}}
        {"message":{"token":"anna","apns":{"headers":{"apns-expiration":"1767268860"},"payload":{"aps":{"alert":"Two"}}}}}
        """
      Then record 2 is later "discarded" because of "superseded"
      When 60s pass
      Then record 3 is later "expired"

  @fcm
  Rule: Google goes by the time to live

    Background:
      Given the device "anna" with:
        | platform | android |
        | online   | false   |

    Scenario Outline: Kept until its time is up: <message>, <passed>
      When a push '<message>' arrives
      And <passed> pass
      And the device "anna" is back
      Then record 2 is later "<outcome>"

      Examples: Fractions of a second do not count
        | message                                                          | passed | outcome |
        | {"to":"anna","time_to_live":60,"data":{}}                        | 59s    | silent  |
        | {"to":"anna","time_to_live":60,"data":{}}                        | 60s    | expired |
        | {"message":{"token":"anna","android":{"ttl":"60.9s"},"data":{}}} | 59s    | silent  |
        | {"message":{"token":"anna","android":{"ttl":"60.9s"},"data":{}}} | 60s    | expired |
        | {"to":"anna","data":{}}                                          | 27d    | silent  |
        | {"to":"anna","data":{}}                                          | 4w     | expired |

    Scenario Outline: Now or never: <message>
      When a push '<message>' arrives
      Then the outcome is "expired"
      And the reason is "not-stored"

      Examples:
        | message                                                       |
        | {"to":"anna","time_to_live":0,"data":{}}                      |
        | {"message":{"token":"anna","android":{"ttl":"0s"},"data":{}}} |
