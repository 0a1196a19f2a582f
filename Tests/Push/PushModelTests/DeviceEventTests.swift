import PushModel
import Testing

/// The members of an event that few events have.
struct DeviceEventTests {
    @Test func `a copy of an event keeps its members`() {
        var event = DeviceEvent(.device, device: "ab12")
        event.canonical = "cd34"
        event.settings[.badges] = false
        event.post.title = "A"
        var copy = event
        copy.canonical = "ef56"
        copy.settings[.sounds] = true
        copy.post.body = "B"
        #expect(event.canonical == "cd34")
        #expect(event.settings == [.badges: false])
        #expect(event.post.title == "A" && event.post.body == nil)
        #expect(copy.canonical == "ef56")
        #expect(copy.settings == [.badges: false, .sounds: true])
        #expect(copy.post.title == "A" && copy.post.body == "B")
    }

    @Test func `events with the same members are equal, however they got them`() {
        let plain = DeviceEvent(.device, device: "ab12")
        var event = plain
        event.topics = ["a"]
        #expect(event != plain)
        var other = plain
        other.types = []
        other.topics = ["a"]
        #expect(event != other)
        other.types = nil
        #expect(event == other)
        event.topics = nil
        #expect(event == plain)
        event.topics = []
        #expect(event != plain)
    }
}
