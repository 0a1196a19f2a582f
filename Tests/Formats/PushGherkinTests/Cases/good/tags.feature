@feature @feature
Feature: Tags

  @scenario#1 @ü @a@b # a comment
  Scenario Outline: tags of the examples come last
    Given a push

    @examples
    Examples:
      | n |
      | 1 |

    # between them

    @more
    @tags
    Examples:
      | n |
      | 2 |

  @rule

  Rule: tags of the rule

    @own
    Scenario: inherits
      * a push
