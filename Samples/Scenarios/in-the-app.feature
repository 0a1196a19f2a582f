@app
Feature: What the user sees in the app
  The screen in front, the bell, what is unread and the number on the icon follow from what arrived and what the user did.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    And the app on "anna" is "foreground"

  Scenario: Notification center raised and lowered does not disturb what is on screen
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user raises the notification center on "anna"
    Then the screen in front on "anna" is "notification center"
    And the screen of "anna" shows 1 notification
    When the user lowers the notification center on "anna"
    Then the screen in front on "anna" is "article"

  Scenario: A tap in the notification center lowers it
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user raises the notification center on "anna"
    And the user taps the notification on "anna"
    Then the screen in front on "anna" is "centre"
    When the user goes back on "anna"
    Then the screen in front on "anna" is "article"

  Scenario: A tap on the banner leads to the centre
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the banner on "anna"
    Then the screen in front on "anna" is "centre"
    And the bell on "anna" is not marked

  Scenario: Of several notifications the user taps one
    When the following pushes arrive:
      """
      {"headers":{"apns-collapse-id":"national"},"payload":{"aps":{"alert":"Polls have closed"}}}
      {"headers":{"apns-collapse-id":"match-17"},"payload":{"aps":{"alert":"Kick-off"}}}
      """
    And the user taps the notification "national" on "anna"
    Then the screen of "anna" shows:
      | identifier |
      | match-17   |
    When the user wipes the notification "match-17" off "anna"
    Then the screen of "anna" is empty

  Scenario: A notification is named by its record, too
    When a push '{"aps":{"alert":"One"}}' arrives
    And a push '{"aps":{"alert":"Two"}}' arrives
    And the user taps the notification of record 2 on "anna"
    Then the screen of "anna" shows:
      | body |
      | Two  |

  Scenario: Seen is not read
    When a push '{"headers":{"apns-collapse-id":"national"},"payload":{"aps":{"alert":"Polls have closed"}}}' arrives
    And a push '{"headers":{"apns-collapse-id":"match-17"},"payload":{"aps":{"alert":"Kick-off"}}}' arrives
    Then the bell on "anna" is marked
    And 2 notifications are unread on "anna"
    When the user opens the centre on "anna"
    Then the bell on "anna" is not marked
    And 2 notifications are unread on "anna"
    When the user reads the notification "national" on "anna"
    Then the notification "national" on "anna" is read
    And the notification "match-17" on "anna" is unread
    And 1 notification is unread on "anna"
    When the user reads everything on "anna"
    Then 0 notifications are unread on "anna"

  Scenario: The number on the icon is the last one that was set
    Then there is no badge on "anna"
    When a push '{"aps":{"alert":"One","badge":1}}' arrives
    And a push '{"aps":{"alert":"Two","badge":2}}' arrives
    Then the badge on "anna" is 2
    And the badge of "org.example.news" on "anna" is 2
    When a push '{"aps":{"badge":0}}' arrives
    Then there is no badge on "anna"

  Scenario: An editor that is left by going back asks about unsaved work
    When the user opens the pushed editor "note" on "anna"
    And the user writes in the editor on "anna"
    And the user goes back on "anna"
    Then the app does "ask-to-discard note"
    And the screen in front on "anna" is "note"
    When the user keeps the unsaved work on "anna"
    Then the screen in front on "anna" is "note"
    When the user goes back on "anna"
    And the user discards the unsaved work on "anna"
    Then the screen in front on "anna" is "main"

  Scenario: An app that is not in the foreground has no screen in front
    Given the app on "anna" is "background"
    Then no screen is in front on "anna"
