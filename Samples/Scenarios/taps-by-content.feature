@app
Feature: Taps that open a screen chosen by the notification's content
  An app decides by a link, the category and the chosen action what a tap opens. What its rules do not mention leads to its
  own list of notifications, the centre.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    And taps on notifications lead to:
      | at       | like                       | action | screen  | kind   | modal |
      | category | TALK                       | REPLY  | reply   | editor | true  |
      | category | TALK                       |        | talk    |        |       |
      | /url     | https://example.org/live/* |        | live    |        |       |
      | /url     |                            |        | article |        |       |
    And the app on "anna" is "foreground"

  Scenario Outline: A notification with <what> opens <screen>
    When a push '{"aps":{"alert":"Text"<aps>}<members>}' arrives
    And the user taps the notification on "anna"
    Then the screen in front on "anna" is "<screen>"
    When the user goes back on "anna"
    Then the screen in front on "anna" is "main"

    Examples:
      | what                  | aps                | members                              | screen  |
      | a category            | ,"category":"TALK" |                                      | talk    |
      | a link to a live page |                    | ,"url":"https://example.org/live/17" | live    |
      | another link          |                    | ,"url":"https://example.org/polls"   | article |
      | nothing of that       |                    |                                      | centre  |

  Scenario: An action opens a screen of its own
    When a push '{"aps":{"alert":"Bela wrote to you","category":"TALK"}}' arrives
    And the user chooses "REPLY" of the notification on "anna"
    Then the app does "open reply"
    And the screen of "anna" is empty

  Scenario: An action without a screen is carried out in the background
    Given the app on "anna" is "background"
    When a push '{"aps":{"alert":"Bela wrote to you","category":"TALK"}}' arrives
    And the user chooses "MARK_READ" of the notification on "anna"
    Then the app does "wake, handle-action MARK_READ"
    And no screen is in front on "anna"

  Scenario: The app has registered its categories
    Given the app on "anna" is "background"
    And the app on "anna" has the actions:
      | category | action | title     | kind       |
      | CHAT     | ANSWER | Answer    | text       |
      | CHAT     | SHOW   | Show      | foreground |
      | CHAT     | MUTE   | Mute Bela |            |
      | CHAT     |        |           | dismissal  |
    When a push '{"aps":{"alert":"Coming?","category":"CHAT"}}' arrives
    And the user answers "On my way" with "ANSWER" of the notification on "anna"
    Then the app does 'wake, handle-action ANSWER "On my way"'
    When a push '{"aps":{"alert":"Hello?","category":"CHAT"}}' arrives
    And the user chooses "SHOW" of the notification on "anna"
    Then the app does "come-to-front, handle-action SHOW"

  Scenario: Modal screens are dismissed first, and unsaved work is asked about
    When the user opens the editor "note" on "anna"
    And the user writes in the editor on "anna"
    And a push '{"aps":{"alert":"It has begun"},"url":"https://example.org/live/17"}' arrives
    And the user taps the notification on "anna"
    Then the app does "ask-to-discard note"
    When the user discards the unsaved work on "anna"
    Then the app does "discard note, open live"

  Scenario: An app that does not run starts with the screen
    Given the app on "anna" is "terminated"
    When a push '{"aps":{"alert":"It has begun"},"url":"https://example.org/live/17"}' arrives
    And the user taps the notification on "anna"
    Then the app does "launch, open live"
