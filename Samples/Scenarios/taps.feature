@app
Feature: Where a tap on a notification leads
  A tap opens the app's own list of notifications, the centre. Modal screens are dismissed first, and the app asks before
  it discards unsaved work.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario: Notification centre does not disturb what is on screen
    Given the app on "anna" is "foreground"
    And the app on "anna" presents "banner, list" in the foreground
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    Then the app is not disturbed
    And the app does "banner, list, mark-bell"
    When the user goes back on "anna"
    Then the app does "back article"

  Scenario: Plain navigation: the centre is pushed, and back returns
    Given the app on "anna" is "foreground"
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "push-centre, clear-bell"
    When the user goes back on "anna"
    Then the app does "back centre"
    When the user goes back on "anna"
    Then the app does "back article"

  Scenario: Modal screens are dismissed first
    Given the app on "anna" is "foreground"
    When the user opens the modal screen "search" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "dismiss-modal search, push-centre, clear-bell"

  Scenario: The onboarding of a first launch is a modal screen, too
    Given the app on "anna" is "foreground"
    When the user opens the modal screen "onboarding" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "dismiss-modal onboarding, push-centre, clear-bell"

  Scenario: Of several modal screens the one on top goes first
    Given the app on "anna" is "foreground"
    When the user opens the modal screen "search" on "anna"
    And the user opens the modal screen "filter" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "dismiss-modal filter, dismiss-modal search, push-centre, clear-bell"

  Scenario: The centre is not pushed over itself
    Given the app on "anna" is "foreground"
    When the user opens the centre on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "show-centre"

  Scenario: What is wiped off the screen leads nowhere
    Given the app on "anna" is "foreground"
    When a push '{"aps":{"alert":"One"}}' arrives
    And a push '{"aps":{"alert":"Two"}}' arrives
    And the user wipes the notification off "anna"
    Then the screen of "anna" shows:
      | body |
      | One  |
    When the user clears the screen of "anna"
    Then the screen of "anna" is empty
    When the user taps the notification on "anna"
    Then there is nothing to do
    And the reason is "no-such-notification"

  Scenario: The journal tells each step
    Given the app on "anna" is "foreground"
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the journal of "anna" is:
      | event         | identifier |
      | come-to-front |            |
      | banner        | push-2     |
      | list          | push-2     |
      | mark-bell     | push-2     |
      | delivered     | push-2     |
      | tapped        | push-2     |
      | removed       | push-2     |
      | push-centre   |            |
      | clear-bell    |            |

  Scenario Outline: An app that is <state>
    Given the app on "anna" is "foreground"
    And the app on "anna" is "<state>"
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "<steps>"

    Examples:
      | state      | steps                                  |
      | background | come-to-front, push-centre, clear-bell |
      | terminated | launch, show-centre, clear-bell        |
      | force-quit | launch, show-centre, clear-bell        |

  Scenario Outline: An app that comes back after <away> <what>
    Given the app on "anna" is "foreground"
    When the user opens the screen "article" on "anna"
    Given the app on "anna" is "background"
    When <away> pass
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "<steps>"
    When the user goes back on "anna"
    Then the app does "back centre"
    When the user goes back on "anna"
    Then the app does "<back>"

    Examples: The last one has nowhere to go back to
      | away | what            | steps                                              | back         |
      | 23h  | is where it was | come-to-front, push-centre, clear-bell             | back article |
      | 24h  | is still there  | come-to-front, push-centre, clear-bell             | back article |
      | 25h  | begins anew     | start-over, come-to-front, push-centre, clear-bell |              |

  Scenario Outline: An app that the system ended <away> ago <what>
    Given the app on "anna" is "foreground"
    When the user opens the screen "article" on "anna"
    Given the app on "anna" is "terminated"
    When <away> pass
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "<steps>"
    When the user goes back on "anna"
    Then the app does "back centre"
    When the user goes back on "anna"
    Then the app does "<back>"

    Examples: Within 24 hours the last article is in front
      | away | what                   | steps                                            | back         |
      | 24h  | shows the last article | launch, restore article, push-centre, clear-bell | back article |
      | 25h  | begins anew            | launch, show-centre, clear-bell                  |              |

  Scenario: The article that was read most recently is in front, though it had been closed
    Given the app on "anna" is "foreground"
    When the user reads the article "Ant" on "anna"
    And the user goes back on "anna"
    And the user opens the screen "history" on "anna"
    Given the app on "anna" is "terminated"
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And the user taps the notification on "anna"
    Then the app does "launch, restore Ant, push-centre, clear-bell"
    When the user goes back on "anna"
    Then the screen in front on "anna" is "Ant"

  Scenario: A banner over the app is tapped, though no list has it
    Given the app on "anna" is "foreground"
    And the app on "anna" presents "banner" in the foreground
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Polls have closed"}}' arrives
    Then the outcome is "presented"
    And the screen of "anna" is empty
    When the user taps the notification on "anna"
    Then the app does "push-centre, clear-bell"
    When the user goes back on "anna"
    Then the app does "back centre"

  Scenario: A banner stays for a moment
    Given the app on "anna" is "foreground"
    And the app on "anna" presents "banner" in the foreground
    When a push '{"aps":{"alert":"Polls have closed"}}' arrives
    And 5s pass
    And the user taps the notification on "anna"
    Then there is nothing to do
    And the reason is "no-such-notification"

  Rule: Unsaved work is asked about

    Background:
      Given the app on "anna" is "foreground"
      And the user opens the editor "note" on "anna"
      And the user writes in the editor on "anna"
      And a push '{"aps":{"alert":"Polls have closed"}}' arrives
      When the user taps the notification on "anna"
      Then the app does "ask-to-discard note"

    Scenario: Cancelling changes nothing
      When the user keeps the unsaved work on "anna"
      Then the app does "cancel"
      When the user saves on "anna"
      Then the app does "save note"

    Scenario: Discarding goes on
      When the user discards the unsaved work on "anna"
      Then the app does "discard note, push-centre, clear-bell"

    Scenario: Nothing else can be done in the app meanwhile
      When the user opens the screen "article" on "anna"
      Then there is nothing to do

  Rule: Work that is in nobody's way, or in the way elsewhere

    Background:
      Given the app on "anna" is "foreground"
      And the user opens the editor "note" on "anna"
      And the user writes in the editor on "anna"

    Scenario: Saved work is not asked about
      When the user saves on "anna"
      And a push '{"aps":{"alert":"Polls have closed"}}' arrives
      And the user taps the notification on "anna"
      Then the app does "dismiss-modal note, push-centre, clear-bell"

    Scenario: Below a modal screen it is asked about before anything is dismissed
      When the user opens the modal screen "search" on "anna"
      And a push '{"aps":{"alert":"Polls have closed"}}' arrives
      And the user taps the notification on "anna"
      Then the app does "ask-to-discard note"
      When the user keeps the unsaved work on "anna"
      Then the app does "cancel"
      When the user closes the modal screen on "anna"
      Then the app does "dismiss-modal search"

    Scenario: In the background it outlives the day after which an app begins anew
      Given the app on "anna" is "background"
      When 25h pass
      And a push '{"aps":{"alert":"Polls have closed"}}' arrives
      And the user taps the notification on "anna"
      Then the app does "come-to-front, ask-to-discard note"
      When the user discards the unsaved work on "anna"
      Then the app does "discard note, push-centre, clear-bell"
