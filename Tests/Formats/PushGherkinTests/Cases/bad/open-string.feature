Feature: A string without an end

  Scenario: a
    Given b
      """
      c