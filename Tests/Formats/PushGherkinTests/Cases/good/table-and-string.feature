@x
@y
Feature: Step args
  Scenario: Table then string
    Given a step
      | id | name |
      | 1  | bob  |
      """
      hello
      """
  Scenario: other
    Given a step
      """
      hello
      """
      | id | name |
      | 1  | bob  |
    Given x
