Feature: What has no steps

  Background:
    Given a phone

  Scenario: without any

  Scenario Outline: with a header alone
    Given <a>

    Examples:
      | a |

  Scenario Outline: without a table
    Given <a>

    Examples: none

  Scenario Outline: without examples
    Given <a>
