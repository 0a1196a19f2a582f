@apns @gcm @fcm
Feature: Too many pushes within a minute
  Each provider has its own answer to too many pushes. A minute starts with the first push after the end of the last one.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario Outline: To one device, or to one topic: <reason> for <record>
    Given at most 1 push a minute to one device
    When a push '<record>' arrives
    And a push '<record>' arrives
    Then the provider answers <status> <reason>
    When 60s pass
    And a push '<record>' arrives
    Then the provider answers 200

    Examples:
      | record                                 | status | reason                    |
      | {"aps":{"alert":"Hello?"}}             | 429    | TooManyRequests           |
      | {"to":"anna","data":{}}                | 200    | DeviceMessageRateExceeded |
      | {"message":{"token":"anna","data":{}}} | 429    | QUOTA_EXCEEDED            |
      | {"to":"/topics/news","data":{}}        | 200    | TopicsMessageRateExceeded |
      | {"message":{"topic":"news","data":{}}} | 429    | QUOTA_EXCEEDED            |

  Scenario Outline: Of one app, whoever they are for: <reason>
    Given at most 1 push a minute of one app
    When a push '<one>' arrives
    And a push '<other>' arrives
    Then the provider answers <status> <reason>

    Examples:
      | one                                             | other                                           | status | reason                    |
      | {"device":"ab","payload":{"aps":{"alert":"1"}}} | {"device":"cd","payload":{"aps":{"alert":"2"}}} | 429    | TooManyRequests           |
      | {"to":"anna","data":{}}                         | {"to":"bela","data":{}}                         | 200    | DeviceMessageRateExceeded |
      | {"message":{"token":"anna","data":{}}}          | {"message":{"token":"bela","data":{}}}          | 429    | QUOTA_EXCEEDED            |
