@preferences
Feature: Types of notifications are switched on and off
  An app defines its own types, and where a push names its type. Once a device has settings for types, a push of a type
  that is not on is not shown.

  Background:
    Given pushes that name no device go to "anna"
    And pushes that name no app are for "org.example.news"

  Scenario Outline: The type stands in <place>
    Given the "<place>" of a push says its type
    And the device "anna" with:
      | types | sport |
    When a push '<sport>' arrives
    Then the outcome is "delivered"
    When a push '<politics>' arrives
    Then the outcome is "suppressed"
    And the reason is "type-off"

    Examples:
      | place       | sport                                                                      | politics                                                                       |
      | category    | {"aps":{"alert":"3:2","category":"sport"}}                                 | {"aps":{"alert":"51 %","category":"politics"}}                                 |
      | thread-id   | {"aps":{"alert":"3:2","thread-id":"sport"}}                                | {"aps":{"alert":"51 %","thread-id":"politics"}}                                |
      | collapse-id | {"headers":{"apns-collapse-id":"sport"},"payload":{"aps":{"alert":"3:2"}}} | {"headers":{"apns-collapse-id":"politics"},"payload":{"aps":{"alert":"51 %"}}} |
      | /data/kind  | {"aps":{"alert":"3:2"},"data":{"kind":"sport"}}                            | {"aps":{"alert":"51 %"},"data":{"kind":"politics"}}                            |

  Scenario: A push of no type has no switch
    Given the "category" of a push says its type
    And the device "anna" with:
      | logged_in | true |
    When a push '{"aps":{"alert":"Hello"}}' arrives
    Then the outcome is "delivered"

  Scenario: After a login every type is off until it is switched on
    Given the "category" of a push says its type
    And the device "anna" with:
      | logged_in | true |
    When a push '{"aps":{"alert":"You were mentioned","category":"mention"}}' arrives
    Then the reason is "type-off"
    When the following event happens:
      """
      {"event":"preference","device":"anna","type":"mention","on":true}
      """
    And a push '{"aps":{"alert":"You were mentioned","category":"mention"}}' arrives
    Then the outcome is "delivered"
