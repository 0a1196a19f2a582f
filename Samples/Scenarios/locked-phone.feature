@locked
Feature: A locked phone
  Most notifications arrive while the phone is locked. Its extension may not get at the key that it decrypts with, and texts may be hidden.

  @python
  Scenario: An extension that decrypts fails before the first unlock
    The phone was restarted in the night. Its keychain gives the key out once it has been unlocked, and from then on also while it is locked.

    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.whisper"
    And the extension "../Extensions/sealed.py"
    And the extension's keychain begins with the items in "../Extensions/sealed.json"
    When the device "anna" is restarted
    And a push '{"aps":{"alert":"New message","mutable-content":1},"box":"IwAMUxcEBhJIBgMVCwFXCR1TAwwK"}' arrives
    Then the screen of "anna" shows:
      | body        |
      | New message |
    When the device "anna" is unlocked
    And the device "anna" is locked
    And a push '{"aps":{"alert":"New message","mutable-content":1},"box":"IwAMUxcEBhJIBgMVCwFXCR1TAwwK"}' arrives
    Then the screen of "anna" shows:
      | body                  |
      | The gate opens at six |
      | New message           |

  Scenario: A locked phone shows how many messages there are, and not what they say
    The app has a placeholder for its messages; iOS has one for everything else.

    Given the device "anna" with:
      | app        | org.example.whisper                                                |
      | categories | [{"id":"TALK","placeholder":"%u messages","shows_title":true}]     |
    And pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.whisper"
    And previews of the app on "anna" are shown "when-unlocked"
    And the device "anna" is locked
    When a push '{"aps":{"alert":{"title":"Ada","body":"The gate opens at six"},"category":"TALK","thread-id":"ada"}}' arrives
    And a push '{"aps":{"alert":{"title":"Ada","body":"Bring a torch"},"category":"TALK","thread-id":"ada"}}' arrives
    And a push '{"aps":{"alert":{"title":"Backup","body":"Done"}}}' arrives
    Then the user sees on the screen of "anna":
      | title | body         |
      |       | Notification |
      | Ada   | 2 messages   |
      | Ada   | 2 messages   |
    When the device "anna" is unlocked
    Then the user sees on the screen of "anna":
      | title  | body                  |
      | Backup | Done                  |
      | Ada    | Bring a torch         |
      | Ada    | The gate opens at six |
