@extension
Feature: Pushes from files, and service extensions
  Paths are relative to the feature file. An extension runs for pushes with mutable-content, in a process of its own.

  Scenario: A stream of pushes from a file
    When the pushes in the file "../quickstart.ndjson" arrive
    Then the outcome of record 1 is "delivered"
    And the outcome of record 3 is "replaced"
    And the outcome of record 10 is "rejected"

  Scenario: A payload from a file
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    When the push in the file "../simulator/breaking-news.apns" arrives
    Then the screen of "anna" shows 1 notification

  @python
  Scenario: An extension replaces its earlier notification of the same conversation
    Given the extension "../Extensions/mention.py"
    When the pushes in the file "../mentions.ndjson" arrive
    Then the outcome of record 1 is "delivered"
    And the outcome of record 2 is "reposted"
    And the outcome of record 3 is "delivered"
    And the screen of "ab54" shows:
      | title             | body         |
      | Bo mentioned you  | Hm           |
      | Ada mentioned you | And this     |

  @python
  Scenario: Removals take time, and the extension waits for them
    Given the extension "../Extensions/mention.py"
    And the extension's removals are "delayed:20"
    And the extension has "20s" to change a push
    When the pushes in the file "../mentions.ndjson" arrive
    Then the screen of "ab54" shows 2 notifications

  @python
  Scenario: A message of a person whom the Focus allows passes it
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.chat"
    And the extension "../Extensions/chat.py"
    And a Focus is on at "anna" that allows the people "Ada Lovelace, Grace Hopper"
    When a push '{"aps":{"alert":"Tea?","mutable-content":1},"sender":"Ada Lovelace"}' arrives
    Then the push is not quiet
    When a push '{"aps":{"alert":"Cake!","mutable-content":1},"sender":"Charles Babbage"}' arrives
    Then the push is quiet because of "focus"
    And the screen of "anna" shows:
      | title           | body  |
      | Charles Babbage | Cake! |
      | Ada Lovelace    | Tea?  |

  @python
  Scenario: The categories that an extension registers have actions
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.chat"
    And the extension "../Extensions/chat.py"
    When a push '{"aps":{"alert":"Tea?","mutable-content":1},"sender":"Ada Lovelace"}' arrives
    And the user answers "Gladly" with "REPLY" of the notification on "anna"
    Then the app does 'wake, handle-action REPLY "Gladly"'
    And the screen of "anna" is empty

  @builtin
  Scenario: A built-in extension fills in texts
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.sport"
    And the extension "builtin:localize=texts.xcstrings"
    And the language of the device is "de-AT"
    When a push '{"aps":{"alert":{"loc-key":"GOAL","loc-args":["Okafor"]},"mutable-content":1}}' arrives
    Then the screen of "anna" shows:
      | body            |
      | Tor von Okafor! |
