@devices @fcm
Feature: Web push through FCM
  A device that is a browser shows the block "webpush" of a message, and the common notification. Its push service keeps
  one message of each topic while the browser is closed.

  Background:
    Given the device "anna" with:
      | platform | web                      |
      | app      | https://news.example.org |

  Scenario: One message, three kinds of devices
    Given the device "bela" with:
      | platform | android          |
      | app      | org.example.news |
    And "anna" is subscribed to the topic "news"
    And "bela" is subscribed to the topic "news"
    When the following push arrives:
      """
      {"message":{"topic":"news","notification":{"title":"Polls have closed"},"webpush":{"notification":{"body":"Live in this tab","icon":"https://news.example.org/icon.png"},"fcm_options":{"link":"https://news.example.org/live"}}}}
      """
    Then the screen of "anna" shows:
      | title             | body             |
      | Polls have closed | Live in this tab |
    And the screen of "bela" shows:
      | title             | body |
      | Polls have closed |      |

  Scenario: A block for Apple devices alone is not for a browser
    When the following push arrives:
      """
      {"message":{"token":"anna","apns":{"payload":{"aps":{"alert":"Polls have closed"}}}}}
      """
    Then the outcome is "silent"
    And the screen of "anna" is empty

  Scenario: A tag replaces the notification that has it
    When the following pushes arrive:
      """
      {"message":{"token":"anna","webpush":{"notification":{"title":"12 of 98 districts","tag":"count"}}}}
      {"message":{"token":"anna","webpush":{"notification":{"title":"40 of 98 districts","tag":"count","renotify":true}}}}
      """
    Then the notification replaces record 2
    And the screen of "anna" shows:
      | identifier | title              |
      | count      | 40 of 98 districts |

  Scenario: To renotify needs a tag
    When the following push arrives:
      """
      {"message":{"token":"anna","webpush":{"notification":{"title":"40 of 98 districts","renotify":true}}}}
      """
    Then the outcome is "silent"
    And the screen of "anna" is empty

  Scenario: Chrome shows a notification of its own for one that its site fails to show
    Given the device "anna" with:
      | browser | chrome |
    When the following push arrives:
      """
      {"message":{"token":"anna","webpush":{"notification":{"title":"40 of 98 districts","renotify":true}}}}
      """
    Then the outcome is "delivered"
    And the screen of "anna" shows:
      | title            | body                                          |
      | news.example.org | This site has been updated in the background. |

  Scenario: The third push that shows nothing costs a site its permission in Safari
    Given the device "anna" with:
      | browser | safari |
    When the following pushes arrive:
      """
      {"message":{"token":"anna","data":{"counted":"12"}}}
      {"message":{"token":"anna","data":{"counted":"40"}}}
      {"message":{"token":"anna","data":{"counted":"98"}}}
      """
    Then the report has the finding "fcm.web-silent-push"
    When the following push arrives:
      """
      {"message":{"token":"anna","notification":{"title":"All districts"}}}
      """
    Then the outcome is "suppressed"
    And the screen of "anna" is empty

  Scenario: The newest message of each topic waits for the browser
    Given the device "anna" goes away
    When the following pushes arrive:
      """
      {"message":{"token":"anna","webpush":{"headers":{"Topic":"count"},"notification":{"title":"12 of 98 districts"}}}}
      {"message":{"token":"anna","webpush":{"headers":{"Topic":"weather"},"notification":{"title":"Rain"}}}}
      {"message":{"token":"anna","webpush":{"headers":{"Topic":"count"},"notification":{"title":"40 of 98 districts"}}}}
      """
    Then record 3 is later "discarded" because of "superseded"
    When the device "anna" is back
    Then the screen of "anna" shows:
      | title              |
      | 40 of 98 districts |
      | Rain               |
