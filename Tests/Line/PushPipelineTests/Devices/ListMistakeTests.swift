import PushJSON
import PushModel
import PushPipeline
import Testing

/// Mistakes in lists of objects that are members of an event.
struct ListMistakeTests {
    @Test(arguments: [
        (
            #""channels":[{"id":"a"},{"id":"b","importance":"#, "\"urgent\"", "}]",
            "channels[1].importance must be one of none, min, low, default, high"
        ),
        (#""channels":[{"id":"a","sound":"#, "null", "}]", "channels[0].sound must be true or false"),
        (#""channels":["#, #"{"importance":"low"}"#, "]", "channels[0] needs an id"),
        (#""channels":[{"id":"#, #""""#, "}]", "channels[0].id must be a string that is not empty"),
        (#""channels":["#, #""news""#, "]", "channels[0] must be an object"),
        (
            #""channels":[{"id":"a","vibrate":"#, "true", "}]",
            "channels[0] has no member \"vibrate\"; it has id, importance, sound, badge, default"
        ),
        (
            #""categories":[{"id":"T","actions":[{"id":"R","text":"#, "1", "}]}]",
            "categories[0].actions[0].text must be true or false"
        ),
        (#""categories":[{"id":"T","actions":"#, "{}", "}]", "categories[0].actions must be a list of actions"),
    ])
    func `a mistake in a list names its element and member, and where it is`(
        before: String, value: String, after: String, message: String
    ) throws {
        let start = #"{"event":"device","device":"ab54",\#(before)"#
        var failure: DecodeFailure?
        try Pipeline().process("\(start)\(value)\(after)}") { failure = $0.decodeFailure }
        #expect(failure?.rule == "event.value")
        #expect(failure?.message == message)
        #expect(failure?.offset == start.utf8.count)
    }
}
