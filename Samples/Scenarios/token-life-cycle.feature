@tokens
Feature: A sender keeps its tokens in order
  No push service requires this, but a sender may work this way: every hour it deletes tokens that nobody has confirmed,
  and when a token turns out to be dead, it tells the owner once.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    And a sender that keeps its tokens in order

  Rule: A token is to be confirmed

    Scenario: One that nobody confirms is swept away on the hour
      Given the device "anna" with:
        | confirmed | false |
      When 1h passes
      Then the sender's token is "token_deleted" because of "unconfirmed"

    Scenario: One that is not older than a minute then stays until the next hour
      When 59m30s pass
      Given the device "anna" with:
        | confirmed | false |
      When 30s pass
      And a push '{"aps":{"alert":"One"}}' arrives
      Then the outcome is "delivered"
      When 1h passes
      Then the sender's token is "token_deleted" because of "unconfirmed"
      When a push '{"aps":{"alert":"Two"}}' arrives
      Then the outcome is "suppressed"
      And the reason is "token-deleted"

    Scenario: One that its owner confirms stays
      Given the device "anna" with:
        | confirmed | false |
      And the device "anna" with:
        | confirmed | true |
      When 2h pass
      And a push '{"aps":{"alert":"One"}}' arrives
      Then the outcome is "delivered"

  Rule: A dead token is sent nothing more

    Background:
      Given the token of "anna" dies
      When a push '{"aps":{"alert":"One"}}' arrives
      Then the sender's token is "token_disabled" because of "failed-delivery"

    Scenario: Its owner is told once, and it is deleted after 30 days
      When a push '{"aps":{"alert":"Two"}}' arrives
      Then the outcome is "suppressed"
      And the reason is "token-disabled"
      When 30d pass
      Then the sender's token is "token_deleted" because of "disabled-for-long"

    Scenario: Registered and confirmed again it is as good as new
      Given the device "anna" with:
        | confirmed    | true  |
        | unregistered | false |
      When 30d pass
      And a push '{"aps":{"alert":"Two"}}' arrives
      Then the outcome is "delivered"
