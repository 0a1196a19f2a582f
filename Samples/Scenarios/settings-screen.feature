@preferences
Feature: The settings screen
  Wikipedia's app stores a switch for each type of notification at the wiki, as the option echo-subscriptions-push-TYPE.
  A switch moves at once, and moves back when the wiki does not accept the change.

  Background:
    When the user logs in as "Anna" at "en.wikipedia.org"

  Scenario: Everything is off after a login, and nothing is asked
    Then the switch "mention" is off
    And the switch "edit-thank" is off
    And the user has not been asked for permission
    And a push about "mention" is suppressed because of "not-determined"

  Scenario: The first switch asks for permission, and the wiki keeps it
    When the user switches "mention" on
    Then the user has been asked for permission
    And the switch "mention" is on
    And the wiki "en.wikipedia.org" keeps "mention"
    And a push about "mention" is delivered
    And a push about "edit-thank" is suppressed because of "type-off"

  Scenario: To switch off needs no permission
    When the user switches "mention" off
    Then the user has not been asked for permission

  Scenario: Without permission the switch goes back
    Given the user will not allow notifications
    When the user switches "mention" on
    Then the switch "mention" is off
    And the user is told "not allowed"
    And a push about "mention" is suppressed because of "denied"

  Scenario: Without a registration nothing is delivered
    Given the device cannot be registered
    When the user switches "mention" on
    Then a push about "mention" is suppressed because of "registration-failed"

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
    And a push about "mention" is delivered

  Scenario: What the other wiki had gives way
    When the user switches "mention" on
    Given the wiki "de.wikipedia.org" has "reverted, cx" on
    When the app's primary language changes to "de.wikipedia.org"
    Then the wiki "de.wikipedia.org" keeps "mention"

  Scenario: It survives a failure
    When the user switches "mention" on
    Given the wiki answers writes with "readonly"
    When the app's primary language changes to "de.wikipedia.org"
    Then the user is told "could not be copied"
    And the switch "mention" is on
    And a push about "mention" is delivered

  Scenario: The failure is made up for when the screen opens
    When the user switches "mention" on
    Given the wiki answers writes with "readonly"
    When the app's primary language changes to "de.wikipedia.org"
    Given the wiki answers writes with "success"
    When the user opens the settings screen
    Then the wiki "de.wikipedia.org" keeps "mention"
    And the switch "mention" is on

  Scenario: Nothing is delivered when nobody is logged in
    When the user switches "mention" on
    And the user logs out
    Then a push about "mention" is suppressed because of "logged-out"

  Scenario Outline: Each of Wikimedia's types has a switch: <type>
    Then the switch "<type>" is off
    When the user switches "<type>" on
    Then the wiki "en.wikipedia.org" keeps "<type>"
    And a push about "<type>" is delivered

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
