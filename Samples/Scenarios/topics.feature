@devices
Feature: Messages to topics
  A message to a topic of FCM reaches every device that is subscribed to it, and each device treats it as its state has it.

  Background:
    Given "anna" is subscribed to the topic "news"
    And "bela" is subscribed to the topic "news"
    And "bela" is subscribed to the topic "weather"

  Scenario: Everybody who is subscribed gets the message
    When the following pushes arrive:
      """
      {"message":{"topic":"news","notification":{"title":"Polls have closed"}}}
      """
    Then record 4 reaches 2 subscribers
    And the screen of "anna" shows:
      | title             |
      | Polls have closed |
    And the screen of "bela" shows:
      | title             |
      | Polls have closed |

  Scenario: Nobody gets it who has unsubscribed
    When "bela" unsubscribes from the topic "news"
    And the following pushes arrive:
      """
      {"to":"/topics/news","notification":{"title":"Polls have closed"}}
      """
    Then record 5 reaches 1 subscriber
    And the screen of "bela" is empty

  Scenario: A condition selects subscribers
    When the following pushes arrive:
      """
      {"message":{"condition":"'news' in topics && !('weather' in topics)","notification":{"title":"Rain or shine"}}}
      """
    Then record 4 reaches 1 subscriber
    And the screen of "bela" is empty

  Scenario: A device that is away gets it later
    When the device "anna" goes away
    And the following pushes arrive:
      """
      {"message":{"topic":"news","notification":{"title":"Polls have closed"}}}
      """
    Then the screen of "anna" is empty
    When the device "anna" is back
    Then record 5 is later "delivered"
