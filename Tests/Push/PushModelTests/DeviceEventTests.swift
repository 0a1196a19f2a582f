import PushModel
import Testing

/// The members of an event that few events have.
struct DeviceEventTests {
    @Test func `a copy of an event keeps its members`() {
        var event = DeviceEvent(.device, device: "ab12")
        event.settings.canonical = "cd34"
        event.settings.switches[.badges] = false
        event.rare.post.title = "A"
        var copy = event
        copy.settings.canonical = "ef56"
        copy.settings.switches[.sounds] = true
        copy.rare.post.body = "B"
        #expect(event.settings.canonical == "cd34")
        #expect(event.settings.switches == [.badges: false])
        #expect(event.rare.post.title == "A" && event.rare.post.body == nil)
        #expect(copy.settings.canonical == "ef56")
        #expect(copy.settings.switches == [.badges: false, .sounds: true])
        #expect(copy.rare.post.title == "A" && copy.rare.post.body == "B")
    }

    @Test func `events with the same members are equal, however they got them`() {
        let plain = DeviceEvent(.device, device: "ab12")
        var event = plain
        event.settings.topics = ["a"]
        #expect(event != plain)
        var other = plain
        other.settings.types = []
        other.settings.topics = ["a"]
        #expect(event != other)
        other.settings.types = nil
        #expect(event == other)
        event.settings.topics = nil
        #expect(event == plain)
        event.settings.topics = []
        #expect(event != plain)
    }
}
