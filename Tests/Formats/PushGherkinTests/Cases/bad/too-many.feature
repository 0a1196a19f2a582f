Feature: More errors than anyone reads

  Scenario: a
    Given b
    words 1
    words 2
    words 3
    words 4
    words 5
    words 6
    words 7
    words 8
    words 9
    words 10
    words 11
    words 12
    words 13
