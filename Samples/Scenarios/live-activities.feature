@apns
Feature: Pushes start, update and end a Live Activity
  A live score on the lock screen: the third way to keep a result up to date, next to a collapse id and an extension that
  replaces by a custom id.

  Background:
    Given pushes that name no device go to "anna"

  Scenario: A match from kick-off to the final whistle
    When the following pushes arrive:
      """
      {"headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":1767268800,"event":"start","content-state":{"home":0,"away":0},"attributes-type":"MatchAttributes","attributes":{"home":"Elbe 04","away":"Weser United"},"alert":{"title":"Kick-off"}}}}
      {"headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"5"},"payload":{"aps":{"timestamp":1767270000,"event":"update","content-state":{"home":1,"away":0},"stale-date":1767270900,"alert":{"title":"1:0"}}}}
      """
    Then the outcome of record 1 is "started"
    And the outcome of record 2 is "updated"
    And the screen of "anna" is empty
    And the lock screen of "anna" shows:
      | activity   | app               | type            | content             | alert | state  |
      | activity-1 | org.example.sport | MatchAttributes | {"home":1,"away":0} | 1:0   | active |
    And the journal of "anna" is:
      | event   | identifier |
      | started | activity-1 |
      | alerted | activity-1 |
      | updated | activity-1 |
      | alerted | activity-1 |
    When 1h pass
    Then the lock screen of "anna" shows:
      | content             | state |
      | {"home":1,"away":0} | stale |
    When a push '{"headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":1767272600,"event":"end","content-state":{"home":2,"away":1}}}}' arrives
    Then the outcome is "ended"
    And the lock screen of "anna" shows:
      | content             | state |
      | {"home":2,"away":1} | ended |
    When 4h pass
    Then the lock screen of "anna" shows 0 Live Activities

  Scenario Outline: A push that <what> changes nothing
    When the following pushes arrive:
      """
      {"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":100,"event":"update","content-state":{"goals":1}}}}
      {"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{<aps>}}}
      """
    Then the outcome is "suppressed"
    And the provider answers 200 <reason>
    And the lock screen of "anna" shows:
      | content     |
      | {"goals":1} |

    Examples:
      | what                     | aps                                                                        | reason           |
      | is older                 | "timestamp":99,"event":"update","content-state":{}                         | older-timestamp  |
      | lacks what a start needs | "timestamp":101,"event":"start","content-state":{},"attributes-type":"T"   | start-incomplete |
      | lacks content            | "timestamp":101,"event":"update"                                           | no-content-state |

  Scenario: A channel updates everybody who follows the match
    When the following pushes arrive:
      """
      {"device":"aa","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":100,"event":"start","content-state":{"goals":0},"attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"},"input-push-channel":"bWF0Y2gtMTc="}}}
      {"device":"bb","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":100,"event":"start","content-state":{"goals":0},"attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"},"input-push-channel":"bWF0Y2gtMTc="}}}
      {"headers":{"apns-channel-id":"bWF0Y2gtMTc=","apns-push-type":"liveactivity","apns-priority":"1","apns-expiration":"0"},"payload":{"aps":{"timestamp":101,"event":"update","content-state":{"goals":1}}}}
      """
    Then the outcome of record 3 is "updated"
    And the lock screen of "aa" shows:
      | content     | channel      |
      | {"goals":1} | bWF0Y2gtMTc= |
    And the lock screen of "bb" shows:
      | content     |
      | {"goals":1} |

  Scenario: An activity that has started is updated with a token of its own
    Given the device "phone" with:
      | app         | org.example.sport |
      | start_token | 51a7              |
    When the following pushes arrive:
      """
      {"device":"51a7","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":100,"event":"start","content-state":{"goals":0},"attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"}}}}
      """
    Then the outcome is "started"
    Given the device "phone" with:
      | app             | org.example.sport |
      | activity_tokens | c0ff              |
    When a push '{"device":"c0ff","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":102,"event":"update","content-state":{"goals":1}}}}' arrives
    Then the outcome is "updated"
    When a push '{"device":"51a7","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":103,"event":"update","content-state":{"goals":2}}}}' arrives
    Then the outcome is "suppressed"
    And the provider answers 200 start-token
    And the lock screen of "phone" shows:
      | content     |
      | {"goals":1} |

  Scenario: The user swipes the match away
    When a push '{"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":100,"event":"update","content-state":{"goals":1}}}}' arrives
    And the user swipes the Live Activity "activity-1" off "anna"
    Then the lock screen of "anna" shows 0 Live Activities
    When a push '{"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":101,"event":"update","content-state":{"goals":2}}}}' arrives
    Then the outcome is "suppressed"
    And the provider answers 200 activity-dismissed

  Scenario: Updates of priority 10 have a budget
    Given at most 1 update of a Live Activity an hour
    When the following pushes arrive:
      """
      {"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":100,"event":"update","content-state":{"goals":1}}}}
      {"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":101,"event":"update","content-state":{"goals":2}}}}
      {"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"5"},"payload":{"aps":{"timestamp":102,"event":"update","content-state":{"goals":3}}}}
      """
    Then the outcome of record 2 is "suppressed"
    And the outcome of record 3 is "updated"
    When 1h pass
    And a push '{"headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":103,"event":"update","content-state":{"goals":4}}}}' arrives
    Then the outcome is "updated"
