@apns
Feature: Pushes that only wake the app
  A background push shows nothing: it wakes the app, which fetches new content. It never reaches a force-quit app.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  @app
  Scenario: An app that does not run is woken
    Given the app on "anna" is "foreground"
    And the app on "anna" is "terminated"
    When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
    Then the app does "wake, fetch"
    And the screen of "anna" is empty

  Rule: For a device that is away the newest one is kept

    Background:
      Given the device "anna" goes away
      When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives

    Scenario: A later one takes its place
      When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
      Then record 2 is later "discarded" because of "superseded"
      When the device "anna" is back
      Then record 3 is later "silent"

    Scenario: It is dropped when its user quits the app
      Given the app on "anna" is "force-quit"
      Then record 2 is later "discarded" because of "force-quit"

    Scenario: One that is seen outlives that
      When a push '{"aps":{"alert":"Polls have closed"}}' arrives
      Given the app on "anna" is "force-quit"
      When the device "anna" is back
      Then record 3 is later "delivered"

  @throttling
  Rule: Of those that are too many the device keeps the newest

    Background:
      Given at most 1 background push an hour
      When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
      And a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
      Then the outcome is "held"
      When a push '{"headers":{"apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}' arrives
      Then record 2 is later "discarded" because of "superseded"

    Scenario: The app gets it when the hour is over
      When 1h passes
      Then record 3 is later "silent"

    Scenario: The app gets it when it is opened
      Given the app on "anna" is "foreground"
      Then record 3 is later "silent"

    Scenario: It is dropped when its user quits the app
      Given the app on "anna" is "force-quit"
      Then record 3 is later "discarded" because of "force-quit"
