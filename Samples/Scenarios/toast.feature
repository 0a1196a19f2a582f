@app
Feature: A toast where no bell is visible
  While the user reads an article the bell is not on the screen. The app then shows a toast of its own, which leads to the
  list of notifications like any banner. Source: Wikimedia's Phabricator, T287628.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.wikimedia.wikipedia"
    And the app on "anna" is "foreground"
    And the app on "anna" presents "" in the foreground
    And the app on "anna" shows a toast where no bell is visible

  Scenario: In an article it is shown, and leads to the list
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Bela mentioned you"}}' arrives
    Then the app does "toast, mark-bell"
    And the outcome is "presented"
    When the user taps the toast on "anna"
    Then the screen in front on "anna" is "centre"
    When the user goes back on "anna"
    Then the screen in front on "anna" is "article"

  Scenario: Where the bell is there is none
    When a push '{"aps":{"alert":"Bela mentioned you"}}' arrives
    Then the app does "not-presented, mark-bell"
    And the bell on "anna" is marked

  Scenario: Without the feed the bell is in the settings
    Given the app on "anna" has its bell on "settings"
    When a push '{"aps":{"alert":"Bela mentioned you"}}' arrives
    Then the app does "toast, mark-bell"

  Scenario: A Focus silences the system's banner, and not the toast
    Given a Focus is on at "anna"
    And the app on "anna" presents "banner, list" in the foreground
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Bela mentioned you"}}' arrives
    Then the app does "list, toast, mark-bell"
    And the push is quiet because of "focus"

  Scenario: Who does not allow notifications gets no toast either
    Given the device "anna" with:
      | authorization | denied |
    When the user opens the screen "article" on "anna"
    And a push '{"aps":{"alert":"Bela mentioned you"}}' arrives
    Then the outcome is "suppressed"
    And the bell on "anna" is not marked
