@app
Feature: What an app posts by itself
  Data that reaches an app shows nothing until the app posts a notification, often with a library such as notifee or
  flutter_local_notifications. Some of these libraries' handlers also get messages that the system shows, and then there
  are two notifications. Sources: Firebase, "Receive messages in Android apps"; notifee, issue 767; Apple, "Pushing
  background updates to your App".

  Background:
    Given the device "pixel" with:
      | platform | android          |
      | app      | org.example.chat |
      | state    | background       |
    And messages make the app post:
      | at         | like  | title                | body       | tag        | notifications |
      | /data/type | chat  | {/data/sender} wrote | /data/text | /data/chat | true          |
      | /data/type | quiet | {/data/sender} wrote | /data/text | /data/chat |               |
    And messages make the app remove:
      | at         | like | identifiers |
      | /data/type | read | /data/chats |
      | /type      | read | /chats      |

  Scenario: Data alone is posted once
    When a push '{"message":{"token":"pixel","data":{"type":"chat","sender":"Anna","text":"Hi","chat":"chat-7"}}}' arrives
    Then the outcome is "silent"
    And the app posts "chat-7"
    And the screen of "pixel" shows:
      | identifier | title      | body |
      | chat-7     | Anna wrote | Hi   |

  Scenario: A notification beside the data makes a double
    When a push '{"message":{"token":"pixel","notification":{"title":"Anna"},"data":{"type":"chat","sender":"Anna","chat":"chat-7"}}}' arrives
    Then the outcome is "delivered"
    And the screen of "pixel" shows:
      | identifier | title      |
      | chat-7     | Anna wrote |
      | push-2     | Anna       |

  Scenario: The same tag makes it one
    When a push '{"message":{"token":"pixel","notification":{"title":"Anna"},"android":{"notification":{"tag":"chat-7"}},"data":{"type":"chat","sender":"Anna","chat":"chat-7"}}}' arrives
    Then the screen of "pixel" shows 1 notification

  Scenario: A handler that gets only data shows no double
    When a push '{"message":{"token":"pixel","notification":{"title":"Anna"},"data":{"type":"quiet","sender":"Anna","chat":"chat-7"}}}' arrives
    Then the app posts nothing
    And the screen of "pixel" shows 1 notification

  Scenario: A later message of the chat replaces the first
    When a push '{"message":{"token":"pixel","data":{"type":"chat","sender":"Anna","text":"Hi","chat":"chat-7"}}}' arrives
    And a push '{"message":{"token":"pixel","data":{"type":"chat","sender":"Bela","text":"Hello","chat":"chat-7"}}}' arrives
    Then the journal of "pixel" is:
      | event     | identifier | record |
      | posted    | chat-7     | 2      |
      | delivered | chat-7     | 2      |
      | posted    | chat-7     | 3      |
      | replaced  | chat-7     | 3      |

  Scenario: What is read elsewhere leaves the screen
    When the app on "pixel" posts a notification with:
      | title | Anna wrote |
      | tag   | chat-7     |
    And a push '{"message":{"token":"pixel","data":{"type":"read","chats":"chat-7"}}}' arrives
    Then the app removes "chat-7"
    And the screen of "pixel" is empty

  Scenario: On an Apple device, too
    Given pushes that name no device go to "ab54"
    And pushes that name no app are for "org.example.chat"
    When a push '{"headers":{"apns-collapse-id":"chat-7"},"payload":{"aps":{"alert":"Anna wrote"}}}' arrives
    And a push '{"aps":{"content-available":1},"type":"read","chats":["chat-7"]}' arrives
    Then the outcome is "silent"
    And the app removes "chat-7"
    And the screen of "ab54" is empty

  Scenario: A person who allows no notifications sees none of these
    Given the device "pixel" with:
      | authorization | denied |
    When the app on "pixel" posts a notification with:
      | title | Anna wrote |
    Then the reason is "denied"
    And the app posts nothing
    And the screen of "pixel" is empty
