@tokens
Feature: Tokens that lead nowhere
  A push service answers for a token that is no longer valid in its own words, and a sender is to forget it.

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
      | record                                      | status | reason        |
      | {"to":"anna","data":{}}                     | 200    | NotRegistered |
      | {"message":{"token":"anna","data":{}}}      | 404    | UNREGISTERED  |

  Scenario: What is held for a token that dies is dropped
    Given the device "anna" goes away
    When a push '{"aps":{"alert":"Hello?"}}' arrives
    And the token of "anna" dies
    Then record 2 is later "discarded" because of "unregistered"

  Scenario: A token that nobody has registered
    Given unknown devices are rejected
    When a push '{"aps":{"alert":"Hello?"}}' arrives
    Then the provider answers 400 BadDeviceToken

  Scenario: Too many pushes within a minute
    Given at most 1 push a minute to one device
    When a push '{"aps":{"alert":"One"}}' arrives
    And a push '{"aps":{"alert":"Two"}}' arrives
    Then the provider answers 429 TooManyRequests
    When 60s pass
    And a push '{"aps":{"alert":"Three"}}' arrives
    Then the outcome is "delivered"

  Rule: A sender keeps its tokens in order

    Background:
      Given a sender that keeps its tokens in order

    Scenario: A token that nobody confirms is swept away on the hour
      Given the device "anna" with:
        | confirmed | false |
      When 1h passes
      Then the sender's token is "token_deleted" because of "unconfirmed"

    Scenario: The owner of a dead token is told once
      Given the token of "anna" dies
      When a push '{"aps":{"alert":"One"}}' arrives
      Then the sender's token is "token_disabled" because of "failed-delivery"
      When a push '{"aps":{"alert":"Two"}}' arrives
      Then the outcome is "suppressed"
      And the reason is "token-disabled"
      When 30d pass
      Then the sender's token is "token_deleted" because of "disabled-for-long"
