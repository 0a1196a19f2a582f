@app
Feature: A Focus and the scheduled summary
  A Focus, such as Do Not Disturb with its moon, silences notifications: they go to the list, without banner and sound. What
  their interruption level lets pass is presented all the same.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"
    And the app on "anna" is "foreground"
    And the app on "anna" is "background"

  Scenario Outline: While a Focus is on, a notification that is <level> <what>
    Given a Focus is on at "anna"
    When a push '{"aps":{"alert":"Storm","sound":"default","interruption-level":"<level>"}}' arrives
    Then the app does "<steps>"
    And the screen of "anna" shows 1 notification

    Examples:
      | level          | what         | steps                          |
      | passive        | is silenced  | list, mark-bell                |
      | active         | is silenced  | list, mark-bell                |
      | time-sensitive | passes       | banner, list, sound, mark-bell |
      | critical       | passes       | banner, list, sound, mark-bell |

  Scenario: The report says why
    Given a Focus is on at "anna"
    When a push '{"aps":{"alert":"12 of 98 districts"}}' arrives
    Then the push is quiet because of "focus"
    When the user turns the Focus off at "anna"
    And a push '{"aps":{"alert":"40 of 98 districts"}}' arrives
    Then the push is not quiet

  Scenario: A Focus can let an app pass, and keep time-sensitive notifications out
    Given a Focus is on at "anna" that allows "org.example.news"
    When a push '{"aps":{"alert":"12 of 98 districts"}}' arrives
    Then the push is not quiet
    Given a Focus is on at "anna" that allows nothing time-sensitive
    When a push '{"aps":{"alert":"Storm","interruption-level":"time-sensitive"}}' arrives
    Then the push is quiet because of "focus"
    When a push '{"aps":{"alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":1}}}' arrives
    Then the push is not quiet

  Scenario: The scheduled summary waits for what is not urgent
    Given the app on "anna" is in the scheduled summary
    When a push '{"aps":{"alert":"Three new articles"}}' arrives
    Then the push is quiet because of "summary"
    When a push '{"aps":{"alert":"Storm","interruption-level":"time-sensitive"}}' arrives
    Then the push is not quiet
    Given the app on "anna" is not in the scheduled summary
    When a push '{"aps":{"alert":"Three new articles"}}' arrives
    Then the push is not quiet

  Scenario: Without the entitlement a level counts as the default
    Given a Focus is on at "anna"
    And the device "anna" with:
      | levels | critical |
    When a push '{"aps":{"alert":"Storm","interruption-level":"time-sensitive"}}' arrives
    Then the push is quiet because of "focus"
    When a push '{"aps":{"alert":"Storm","interruption-level":"critical"}}' arrives
    Then the push is not quiet
