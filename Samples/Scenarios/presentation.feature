@app
Feature: How a notification is presented
  In the foreground the app's delegate decides. Otherwise the system presents what the notification has and the user
  allows. The bell in the app marks notifications that the app's own list, the centre, has not shown yet.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    And the app on "anna" is "foreground"

  Scenario Outline: What the delegate asks for: <options>
    Given the app on "anna" presents "<options>" in the foreground
    When a push '{"aps":{"alert":"Polls have closed","sound":"default","badge":3}}' arrives
    Then the app does "<steps>"
    And the screen of "anna" shows <count> notifications

    Examples: What is not in the list is not on the screen afterwards; alert is the old word for both
      | options                    | steps                                 | count |
      | list, banner, sound, badge | banner, list, sound, badge, mark-bell | 1     |
      | banner, list               | banner, list, mark-bell               | 1     |
      | list                       | list, mark-bell                       | 1     |
      | badge, list                | list, badge, mark-bell                | 1     |
      | alert                      | banner, list, mark-bell               | 1     |
      | banner                     | banner, mark-bell                     | 0     |
      | sound                      | sound, mark-bell                      | 0     |
      |                            | not-presented, mark-bell              | 0     |

  Scenario Outline: Without an answer of the delegate: <delegate>
    Given the device "anna" with:
      | delegate | <delegate> |
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    Then the app does "<steps>"

    Examples: One that does not know the question lets nothing through
      | delegate             | steps                    |
      | without-will-present | not-presented, mark-bell |
      | none                 | banner, list, mark-bell  |

  Scenario: With provisional permission it goes to the list alone
    Given the device "anna" with:
      | authorization | provisional |
    And the app on "anna" is "background"
    When a push '{"aps":{"alert":"Polls have closed","sound":"default"}}' arrives
    Then the app does "list, mark-bell"

  Scenario: A passive one is not heard
    Given the app on "anna" is "background"
    When a push '{"aps":{"alert":"Polls have closed","sound":"default","interruption-level":"passive"}}' arrives
    Then the app does "list, mark-bell"

  Scenario: In the foreground the delegate decides about a passive one, too
    Given the app on "anna" presents "banner, list" in the foreground
    When a push '{"aps":{"alert":"Polls have closed","interruption-level":"passive"}}' arrives
    Then the app does "banner, list, mark-bell"

  Scenario: Badge 0 removes what is on the screen
    Given the app on "anna" is "background"
    When a push '{"aps":{"alert":"Polls have closed","badge":3}}' arrives
    And a push '{"aps":{"badge":0}}' arrives
    Then the screen of "anna" is empty
    And there is no badge on "anna"

  Rule: The bell tells of what the centre has not shown

    Scenario: It is marked once, and cleared by the centre
      When a push '{"aps":{"alert":"One"}}' arrives
      Then the app does "banner, list, mark-bell"
      When a push '{"aps":{"alert":"Two"}}' arrives
      Then the app does "banner, list"
      When the user opens the centre on "anna"
      Then the app does "push-centre, clear-bell"

    Scenario: A centre on the screen shows everything at once
      When the user opens the centre on "anna"
      And a push '{"aps":{"alert":"One"}}' arrives
      Then the app does "banner, list"
