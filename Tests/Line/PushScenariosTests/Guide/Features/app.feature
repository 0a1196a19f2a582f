@app
Feature: Orders in the app
  Scenario: An order that is ready is shown
    When a push '{"aps":{"alert":"Your soup is ready"}}' arrives
    Then the screen of "default" shows 1 notification
  @slow
  Scenario: An order for tomorrow
    Then the outcome is "delivered"
