import PushDevices
import PushModel
import Testing

@testable import PushPictures
@testable import ScreenPictures

/// The shade of an Android device. Sources: see `AndroidScreen`.
struct ShadeTests {
    private func message(_ title: String, _ members: String = "", body: String = "Body") -> String {
        #"{"message":{"token":"pixel","notification":{"title":"\#(title)","body":"\#(body)","image":"https://example.org/a.png"},"#
            + #""android":{"notification":{\#(members)}}}}"# + "\n"
    }

    private let locked = #"{"event":"device","device":"pixel","platform":"android","locked":true}"# + "\n"

    /// Both stores draw the same.
    private func texts(_ records: String) throws -> [String] {
        let svg = ScreensPicture.draw(try ScreenContents(try delivered(records))).svg
        #expect(svg == ScreensPicture.draw(try ScreenContents(try deliveredToFile(records))).svg)
        return try SVGReader(svg).texts
    }

    private func titles(_ records: String) throws -> [String] { try texts(records).filter { $0.hasPrefix("Goal") } }

    @Test func `Notifications are in the order of their events`() throws {
        let records =
            message("Goal 2", #""event_time":"2020-01-01T10:40:00Z""#) + message("Goal 3")
            + message("Goal 1", #""event_time":"2020-01-01T10:20:00Z""#)
        #expect(try titles(records) == ["Goal 3 – Body", "Goal 2 – Body", "Goal 1 – Body"])
    }

    @Test func `Notifications of an app are one card with a line of each, from the second on`() throws {
        #expect(try titles(message("Goal 1")) == ["Goal 1"])
        let three = (1...3).map { message("Goal \($0)", body: "") }.joined()
        #expect(try titles(three) == ["Goal 3", "Goal 2", "Goal 1"])
        #expect(try titles(three + message("Goal 4")) == ["Goal 4 – Body", "Goal 3", "Goal 2", "Goal 1"])
        let six = try texts((1...6).map { message("Goal \($0)") }.joined())
        #expect(six.filter { $0.hasPrefix("Goal") } == (3...6).reversed().map { "Goal \($0) – Body" })
        #expect(six.contains("+ 2 more") && six.contains { $0.contains(" · 6 · ") })
    }

    @Test func `A device bundles as many as an event has said`() throws {
        let four = #"{"event":"device","device":"pixel","platform":"android","auto_group_at":4}"# + "\n"
        let three = (1...3).map { message("Goal \($0)") }.joined()
        #expect(try titles(four + three) == ["Goal 3", "Goal 2", "Goal 1"])
        #expect(try texts(four + three).filter { $0 == "Body" }.count == 3)
        #expect(try titles(four + three + message("Goal 4")) == (1...4).reversed().map { "Goal \($0) – Body" })
    }

    @Test func `A lock screen hides what is private, and counts nothing that is secret`() throws {
        let found = try texts(
            locked + message("Goal 1", #""visibility":"PUBLIC""#) + message("Goal 2")
                + message("Goal 3", #""visibility":"SECRET""#))
        #expect(found.filter { $0.hasPrefix("Goal") } == ["Goal 1 – Body"])
        #expect(found.contains("New notification") && found.contains("2 notifications"))
    }
}
