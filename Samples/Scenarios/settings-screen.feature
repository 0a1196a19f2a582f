@preferences
Feature: The settings screen
  Wikipedia's app stores a switch for each type of notification at the wiki; ../Preferences/wikipedia.yml has the types.
  A switch moves at once, and moves back when the wiki does not accept the change. The settings are those of the device, so
  they decide which pushes it shows; here a push names its type as its category.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.wikimedia.wikipedia"
    And the app has the settings in "../Preferences/wikipedia.yml"
    When the user logs in as "Anna" at "en.wikipedia.org"

  Scenario: Everything is off after a login, and nothing is asked
    Then the switch "mention" is off
    And the switch "edit-thank" is off
    And the user has not been asked for permission
    When a push '{"aps":{"alert":"You were mentioned","category":"mention"}}' arrives
    Then the outcome is "suppressed"
    And the reason is "not-determined"

  Scenario: The first switch asks for permission, and the wiki keeps it
    When the user switches "mention" on
    Then the user has been asked for permission
    And the switch "mention" is on
    And a request to "en.wikipedia.org" switches "mention" on
    And the wiki "en.wikipedia.org" keeps "mention"

  Scenario: What is on is shown, and what is off is not
    When the user switches "mention" on
    And a push '{"aps":{"alert":"You were mentioned","category":"mention"}}' arrives
    Then the outcome is "delivered"
    When a push '{"aps":{"alert":"Anna thanked you","category":"edit-thank"}}' arrives
    Then the outcome is "suppressed"
    And the reason is "type-off"
    And the screen of "anna" shows:
      | body               |
      | You were mentioned |

  Scenario: To switch off needs no permission
    When the user switches "mention" off
    Then the user has not been asked for permission
    And a request to "en.wikipedia.org" switches "mention" off

  Scenario: Without permission the switch goes back
    Given the user will not allow notifications
    When the user switches "mention" on
    Then the switch "mention" is off
    And the user is told "not allowed"
    When a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the reason is "denied"

  Scenario: Without a registration nothing is delivered
    Given the device cannot be registered
    When the user switches "mention" on
    And a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the reason is "registration-failed"

  Scenario: When registration works again, the next switch registers the device
    Given the device cannot be registered
    When the user switches "mention" on
    Then the switch "mention" is off
    And the user is told "could not be registered"
    Given the device can be registered again
    When the user switches "mention" on
    And a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the outcome is "delivered"

  Scenario: A token that the push infrastructure does not take is told apart
    Given the push infrastructure answers subscriptions with "echo-push-topic-required"
    When the user switches "mention" on
    Then the switch "mention" is off
    And the user is told "could not be subscribed"
    When a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the reason is "subscription-failed"
    Given the push infrastructure answers subscriptions with "success"
    When the user switches "mention" on
    And a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the outcome is "delivered"

  Scenario Outline: A write that fails takes the switch back: <answer>
    Given the wiki answers writes with "<answer>"
    When the user switches "mention" on
    Then the switch "mention" is off
    And the wiki "en.wikipedia.org" keeps ""
    And the user is told "could not be changed"

    Examples: Success with a warning is no success
      | answer   |
      | warning  |
      | readonly |
      | badtoken |

  Scenario: When the answer is lost, the switch shows what the wiki has
    Given the wiki answers writes with "nothing"
    When the user switches "mention" on
    Then the switch "mention" is off
    And the wiki "en.wikipedia.org" keeps ""

  Scenario: Reading may fail, and the switches stay as they are
    Given the wiki "en.wikipedia.org" has "reverted" on
    And the wiki answers reads with "nothing"
    When the user opens the settings screen
    Then the user is told "could not be read"
    And the switch "reverted" is off

  Scenario: What the wiki has is shown when the screen opens
    Given the wiki "en.wikipedia.org" has "mention, reverted" on
    When the user opens the settings screen
    Then the switch "reverted" is on
    And the switch "cx" is off

  Scenario: A change of the primary language takes the settings along
    When the user switches "mention" on
    And the app's primary language changes to "de.wikipedia.org"
    Then the wiki "de.wikipedia.org" keeps "mention"
    And the switch "mention" is on
    When a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the outcome is "delivered"

  Scenario: What the other wiki had gives way
    When the user switches "mention" on
    Given the wiki "de.wikipedia.org" has "reverted, cx" on
    When the app's primary language changes to "de.wikipedia.org"
    Then the wiki "de.wikipedia.org" keeps "mention"

  Scenario: It fails behind the scenes, and the next load shows what the new wiki has
    When the user switches "mention" on
    Given the wiki "de.wikipedia.org" has "reverted" on
    And the wiki answers writes with "readonly"
    When the app's primary language changes to "de.wikipedia.org"
    Then the switch "mention" is on
    When the user opens the settings screen
    Then the switch "mention" is off
    And the switch "reverted" is on
    And the wiki "de.wikipedia.org" keeps "reverted"
    And the wiki "en.wikipedia.org" keeps "mention"

  Scenario: Nothing is delivered when nobody is logged in
    When the user switches "mention" on
    And the user logs out
    And a push '{"aps":{"alert":"News","category":"mention"}}' arrives
    Then the reason is "logged-out"

  Scenario Outline: Each of Wikimedia's types has a switch: <type>
    Then the switch "<type>" is off
    When the user switches "<type>" on
    Then the wiki "en.wikipedia.org" keeps "<type>"
    When a push '{"aps":{"alert":"News","category":"<type>"}}' arrives
    Then the outcome is "delivered"

    Examples:
      | type            |
      | edit-user-talk  |
      | edit-thank      |
      | dt-subscription |
      | cx              |
      | mention         |
      | mention-failure |
      | mention-success |
      | article-linked  |
      | wikibase-action |
      | login-fail      |
      | login-success   |
      | page-review     |
      | user-rights     |
      | reverted        |
      | emailuser       |
      | thank-you-edit  |

  Rule: A login switches everything off on the server

    Scenario: Whatever was on there
      When the user logs out
      Given the wiki "en.wikipedia.org" has "mention, reverted" on
      When the user logs in as "Anna" at "en.wikipedia.org"
      Then a request to "en.wikipedia.org" switches every type off
      And the wiki "en.wikipedia.org" keeps ""
      And the switch "mention" is off

    Scenario: A failure is told, the switches show what the wiki has, and the screen tries again
      When the user logs out
      Given the wiki "en.wikipedia.org" has "mention" on
      And the wiki answers writes with "readonly"
      When the user logs in as "Anna" at "en.wikipedia.org"
      Then the user is told "could not be switched off"
      And the switch "mention" is on
      Given the wiki answers writes with "success"
      When the user opens the settings screen
      Then the switch "mention" is off
      And the wiki "en.wikipedia.org" keeps ""

    Scenario: Logged out, the settings are not offered
      Then the settings are offered
      When the user logs out
      Then the settings are not offered

    Scenario: A session that the server has ended takes the switch back
      Given the wiki answers writes with "notloggedin"
      When the user switches "mention" on
      Then the switch "mention" is off
      And the user is told "nobody is logged in"
      And the settings are not offered
