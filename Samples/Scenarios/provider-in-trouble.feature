@apns @gcm @fcm
Feature: A provider that refuses what it would accept
  The rules are those of `pushpipe serve --faults`: what a sender is tested with there, a scenario shows on the phone.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario Outline: A token that is gone: each provider has its own word
    Given pushes to "anna" are refused with "Unregistered"
    When a push '<record>' arrives
    Then the provider answers <status> <reason>
    And the screen of "anna" is empty

    Examples:
      | record                                                                  | status | reason        |
      | {"aps":{"alert":"Hello?"}}                                              | 410    | Unregistered  |
      | {"message":{"token":"anna","notification":{"title":"t","body":"b"}}}    | 404    | UNREGISTERED  |
      | {"to":"anna","notification":{"title":"t","body":"b"}}                   | 200    | NotRegistered |

  Scenario: Every third push fails, and others arrive
    Given the provider follows these rules:
      """yaml
      - every: 3
        status: 503
      """
    When the following pushes arrive:
      """
      {"aps":{"alert":"one"}}
      {"aps":{"alert":"two"}}
      {"aps":{"alert":"three"}}
      {"aps":{"alert":"four"}}
      """
    Then the screen of "anna" shows:
      | body |
      | four |
      | two  |
      | one  |

  Scenario: Maintenance of a minute
    Given the provider follows these rules:
      """yaml
      - for: 1m
        reason: InternalServerError
      """
    When a push '{"aps":{"alert":"one"}}' arrives
    Then the provider answers 500 InternalServerError
    When 60s pass
    And a push '{"aps":{"alert":"two"}}' arrives
    Then the provider answers 200

  Scenario: A rate
    Given the provider follows these rules:
      """yaml
      - topic: org.example.news
        rate: 2/10s
        reason: TooManyRequests
      """
    When a push '{"aps":{"alert":"one"}}' arrives
    And a push '{"aps":{"alert":"two"}}' arrives
    And a push '{"aps":{"alert":"three"}}' arrives
    Then the provider answers 429 TooManyRequests
    When 5s pass
    And a push '{"aps":{"alert":"four"}}' arrives
    Then the provider answers 200

  Scenario: The trouble is over
    Given pushes to "an*" are refused with "InternalServerError"
    And the provider refuses nothing more
    When a push '{"aps":{"alert":"one"}}' arrives
    Then the provider answers 200
