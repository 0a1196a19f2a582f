Feature: Out of stock
  Scenario: A phone that was away hears of the refund, and not of the delay
    Given pushes that name no app are for "org.example.shop"
    And the device "default" with:
      | app    | org.example.shop |
      | online | false            |
    When the following pushes arrive:
      """
      {"headers":{"apns-expiration":"1767272400","apns-collapse-id":"order-4712"},"payload":{"aps":{"alert":"Order 4712 is late"}}}
      {"headers":{"apns-expiration":"1767272400","apns-collapse-id":"order-4712"},"payload":{"aps":{"alert":"Order 4712 is refunded"}}}
      """
    And the device "default" is back
    Then the screen of "default" shows 1 notification
