@app
Feature: The tray of an Android device
  Which channel a notification is in, what waits while the device is in Doze, how the tray is sorted and bundled, and what a
  lock screen shows. Sources: Android, "Create and manage notification channels"; AOSP, `config_autoGroupAtCount`;
  Firebase, `AndroidNotification` and "Set and manage message priority".

  Background:
    Given the device "pixel" with:
      | platform | android          |
      | app      | org.example.news |
      | state    | background       |
    And the app on "pixel" has the notification channels:
      | id      | importance | sound | badge | default |
      | results | high       |       |       |         |
      | digest  | low        |       | false | true    |
      | offers  | none       |       |       |         |

  Scenario: Election night
    When a push '{"message":{"token":"pixel","notification":{"title":"Polls have closed"},"android":{"notification":{"channel_id":"results"}}}}' arrives
    Then the app does "banner, list, sound, badge"
    When a push '{"message":{"token":"pixel","notification":{"title":"Subscribe"},"android":{"notification":{"channel_id":"offers"}}}}' arrives
    Then the outcome is "suppressed"
    And the reason is "channel-off"
    When a push '{"message":{"token":"pixel","notification":{"title":"Turnout"},"android":{"notification":{"channel_id":"turnout"}}}}' arrives
    Then the push is quiet because of "channel"
    And the report has the finding "android.unknown-channel"
    When the device "pixel" falls into Doze
    And a push '{"message":{"token":"pixel","notification":{"title":"Half counted"},"android":{"priority":"normal"}}}' arrives
    Then the outcome is "held"
    And the reason is "doze"
    When a push '{"message":{"token":"pixel","notification":{"title":"Decided"},"android":{"priority":"high"}}}' arrives
    Then the outcome is "delivered"
    And the tray of "pixel" shows:
      | title             | bundle |
      | Decided           | 3      |
      | Turnout           | 3      |
      | Polls have closed | 3      |
    When the device "pixel" leaves Doze
    Then the tray of "pixel" shows:
      | title             | bundle |
      | Half counted      | 4      |
      | Decided           | 4      |
      | Turnout           | 4      |
      | Polls have closed | 4      |
    When the user taps the bundle on "pixel"
    Then the app does "come-to-front"
    And the screen of "pixel" shows 4 notifications
    When the user taps the notification on "pixel"
    Then the screen of "pixel" shows 3 notifications
    And the tray of "pixel" shows:
      | title             | bundle |
      | Decided           | 3      |
      | Turnout           | 3      |
      | Polls have closed | 3      |

  Scenario: What happened last stands first
    When a push '{"message":{"token":"pixel","notification":{"title":"Second goal"},"android":{"notification":{"event_time":"2026-01-01T12:40:00Z"}}}}' arrives
    And a push '{"message":{"token":"pixel","notification":{"title":"First goal"},"android":{"notification":{"event_time":"2026-01-01T12:20:00Z"}}}}' arrives
    Then the tray of "pixel" shows:
      | title       | record |
      | Second goal | 3      |
      | First goal  | 4      |

  Scenario: A lock screen hides what is private
    Given the device "pixel" with:
      | locked | true |
    When a push '{"message":{"token":"pixel","notification":{"title":"Weather","body":"Rain"},"android":{"notification":{"visibility":"PUBLIC"}}}}' arrives
    And a push '{"message":{"token":"pixel","notification":{"title":"Your account","body":"Card payment"},"android":{"notification":{"visibility":"SECRET"}}}}' arrives
    And a push '{"message":{"token":"pixel","notification":{"title":"Message","body":"See you at eight"}}}' arrives
    Then the tray of "pixel" shows:
      | title   | body             |
      |         | New notification |
      | Weather | Rain             |
    Given the device "pixel" with:
      | locked | false |
    Then the tray of "pixel" shows:
      | title        | body             |
      | Message      | See you at eight |
      | Your account | Card payment     |
      | Weather      | Rain             |

  Scenario: An app that the user has stopped gets nothing until it is opened
    When the user stops the app in the system's settings of "pixel"
    And a push '{"message":{"token":"pixel","notification":{"title":"Lost"}}}' arrives
    Then the outcome is "suppressed"
    And the reason is "force-stopped"
    Given the app on "pixel" is "foreground"
    And the app on "pixel" is "background"
    When a push '{"message":{"token":"pixel","notification":{"title":"Shown"}}}' arrives
    Then the outcome is "delivered"
