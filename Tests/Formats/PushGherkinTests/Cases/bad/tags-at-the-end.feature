Feature: Tags of nothing

  Scenario: a
    Given b

  @c
  # d
