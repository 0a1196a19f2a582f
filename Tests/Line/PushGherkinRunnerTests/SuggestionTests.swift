import Testing

@testable import PushGherkinRunner

/// What is told about a step that there is not.
struct SuggestionTests {
    private let suggester = StepSuggester([
        "the screen of {string} shows {int} notification(s)", "the screen of {string} is empty",
        "the outcome is {string}", "the following push(es) arrive(s):", "the device {string} is back/online",
        "the device {string} goes away/offline",
    ])

    @Test(arguments: [
        (#"the screen of "anna" has 2 notifications"#, "the screen of {string} shows {int} notification(s)"),
        (#"the scren of "anna dear" is empty"#, "the screen of {string} is empty"),
        ("the outcome is delivered", "the outcome is {string}"),
        ("The Following Push Arrives:", "the following push(es) arrive(s):"),
        (#"the device "anna" is offline"#, "the device {string} goes away/offline"),
        (#"the device "anna" comes online"#, "the device {string} is back/online"),
        (#"the device "anna" goes ofline"#, "the device {string} goes away/offline"),
    ])
    func `the nearest step comes first`(text: String, nearest: String) {
        #expect(suggester.nearest(to: text).first == nearest)
    }

    @Test func `what is like none of them has no suggestion`() {
        #expect(suggester.nearest(to: "I log in with my password") == [])
        #expect(suggester.nearest(to: "") == [])
        #expect(suggester.nearest(to: String(repeating: "the screen ", count: 1000)) == [])
    }

    @Test func `values are read as parameters`() {
        #expect(
            suggester.reading(of: #"I see "a b" 3 times in 1.5 s, 'c'"#)
                == "I see {string} {int} times in {float} s, {string}")
    }
}
