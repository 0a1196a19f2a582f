import PushScenarios
import Testing

/// The orders of one scenario.
struct Orders: ScenarioState {
    var dishes: [String] = []
}

/// The code that is tested.
actor Kitchen {
    func payload(for dish: String) async throws -> String {
        #"{"aps":{"alert":{"title":"\#(dish)","body":"Your order is ready"}}}"#
    }
}

struct OrderTests {
    static func steps() throws -> StepLibrary<ScenarioWorld> {
        var steps = try StepLibrary.pushes()
        try steps.add(
            .given, "an order of {string}", summary: "A guest orders a dish.", example: "Given an order of \"soup\""
        ) { world, step in
            world[Orders.self].dishes.append(try step.text(0))
        }
        try steps.add(
            .when, "the orders are ready", summary: "The kitchen sends a push for each.",
            example: "When the orders are ready"
        ) { world, _ in
            let kitchen = Kitchen()
            for dish in world[Orders.self].dishes {
                let payload = try await kitchen.payload(for: dish)
                try world.receive(payload)
            }
        }
        try steps.add(
            .then, "no title on {string} has more than {int} character(s)",
            summary: "Of all notifications on a device.",
            example: "Then no title on \"anna\" has more than 5 characters"
        ) { world, step in
            let limit = try step.int(1)
            for notification in try world.screen(of: try step.text(0)) {
                guard let title = notification.content.title, title.count > limit else { continue }
                throw StepFailure("\"\(title)\" has \(title.count) characters")
            }
        }
        return steps
    }

    static func suite() throws -> ScenarioSuite {
        let text = """
            Feature: Orders
              Scenario: Titles are short
                Given pushes that name no device go to "anna"
                And an order of "soup"
                And an order of "toast"
                When the orders are ready
                Then the screen of "anna" shows 2 notifications
                And no title on "anna" has more than 5 characters
            """
        return try ScenarioSuite([FeatureFile(text, name: "orders.feature")], steps: steps())
    }

    @Test(arguments: try OrderTests.suite().scenarios)
    func `orders are announced`(_ scenario: Scenario) async throws { try await scenario.run() }
}
