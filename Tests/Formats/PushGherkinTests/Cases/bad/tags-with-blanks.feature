@a b
Feature: White space in tags

  @c @d e
  Scenario: f
    Given g
