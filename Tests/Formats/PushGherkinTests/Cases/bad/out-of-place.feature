Feature: What stands where it cannot

  Scenario: a
    Given b
    | a | b |
    words
    """
    c
    """
    """
    Background: late
    Feature: again
