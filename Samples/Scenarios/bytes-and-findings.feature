@apns
Feature: Bytes, budgets and findings
  A push has so many bytes, and its provider accepts so many. The linter finds what is wrong with it.

  Background:
    Given pushes that name no app are for "org.example.news"

  Scenario: A push has bytes and a budget
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    Then the push has 37 bytes
    And the budget is 4096 bytes
    And the push is within its budget

  Rule: The original binary interface takes 256 bytes

    Background:
      Given every push is checked against the budget "apns-256"

    Scenario: A push that is too long is rejected
      When the following push arrives:
        """
        {"aps":{"alert":"Polls have closed. The first results are expected within the hour, and we will keep you informed all night long, with every district that has been counted, with interviews from the capital, and with what the parties make of it all the way until morning."}}
        """
      Then the outcome is "rejected"
      And the push is 17 bytes over its budget

    Scenario: It is shortened instead
      Given texts that are too long are shortened
      When the following push arrives:
        """
        {"aps":{"alert":"Polls have closed. The first results are expected within the hour, and we will keep you informed all night long, with every district that has been counted, with interviews from the capital, and with what the parties make of it all the way until morning."}}
        """
      Then the outcome is "delivered"
      And the push has been shortened
      And the report has the finding "fit.cut"
      And the push has 256 bytes

    Scenario: The title may be the first to go
      Given texts that are too long are shortened in the order "title, body"
      When the following push arrives:
        """
        {"aps":{"alert":{"title":"The polls have closed after a day with more voters than ever before, say the ministry and the observers of all sides, who had expected rather fewer on a day as wet as this one has been in most parts of the country","body":"Good night"}}}
        """
      Then the push has been shortened
      And the screen of "default" shows:
        | body       |
        | Good night |

    Scenario: A push that fits stays as it is
      Given texts that are too long are shortened
      When a push '{"aps":{"alert":"Polls have closed"}}' arrives
      Then the push has not been shortened

  Rule: The linter finds mistakes

    Scenario: A misspelled member
      When a push '{"aps":{"alert":"Polls have closed","mutable_content":1}}' arrives
      Then the linter finds "aps.misspelled-key"

    Scenario: A good push
      When a push '{"headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"payload":{"aps":{"alert":"Hello"}}}' arrives
      Then the linter finds nothing
