Feature: Dinner
  Scenario: A second call takes the place of the first
    Given pushes that name no app are for "org.example.kitchen"
    When the following pushes arrive:
      """
      {"headers":{"apns-collapse-id":"dinner"},"payload":{"aps":{"alert":"Dinner is ready"}}}
      {"headers":{"apns-collapse-id":"dinner"},"payload":{"aps":{"alert":"Dinner gets cold"}}}
      """
    Then the notification replaces record 1

  Scenario Outline: Calls
    When a push '{"aps":{"alert":"<call>"}}' arrives

    Examples:
      | call      |
      | Breakfast |
      | Lunch     |
