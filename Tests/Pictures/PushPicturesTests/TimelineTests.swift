import PushDevices
import PushModel
import TestSupport
import Testing

@testable import PushPictures
@testable import ScreenPictures

struct TimelineTests {
    private func entry(
        _ seq: UInt64, at: Int64, _ kind: JournalKind, _ identifier: String, app: String = "org.example.news"
    ) -> JournalEntry {
        JournalEntry(seq: seq, at: at, device: "ab54", app: app, kind: kind, identifier: identifier)
    }

    @Test func `A replacement in place stays in its row without a gap`() {
        let timeline = Timeline([entry(1, at: 0, .delivered, "result"), entry(2, at: 10, .replaced, "result")])
        #expect(timeline.lanes.count == 1)
        #expect(timeline.lanes.first?.stays == [Timeline.Stay(identifier: "result", start: 0, changes: [1])])
        #expect(timeline.lanes.first?.gaps.isEmpty == true)
    }

    @Test func `A notification that is removed and posted again leaves a gap in its row`() throws {
        let timeline = Timeline([
            entry(1, at: 0, .delivered, "push-1"), entry(2, at: 50, .removed, "push-1"),
            entry(2, at: 200, .delivered, "push-2"),
        ])
        let lane = try #require(timeline.lanes.first)
        #expect(timeline.lanes.count == 1)
        #expect(lane.gaps.map(\.from) == [1] && lane.gaps.map(\.to) == [2])
        let texts = try SVGReader(TimelinePicture.draw(timeline).svg).texts
        #expect(texts.contains("150 ms"))
        #expect(texts.contains("removed and posted again: 1 flicker"))
    }

    @Test func `A removal and a post at the same time are two columns`() throws {
        let timeline = Timeline([
            entry(1, at: 0, .delivered, "push-1"), entry(2, at: 5, .removed, "push-1"),
            entry(2, at: 5, .delivered, "push-2"),
        ])
        #expect(timeline.columns.map(\.time) == [0, 5, 5])
        #expect(timeline.lanes.first?.gaps.count == 1)
    }

    @Test func `A removal by another record is no flicker`() {
        let timeline = Timeline([
            entry(1, at: 0, .delivered, "push-1"), entry(2, at: 5, .removed, "push-1"),
            entry(3, at: 9, .delivered, "push-3"),
        ])
        #expect(timeline.lanes.count == 2)
        #expect(timeline.lanes.allSatisfy { $0.gaps.isEmpty })
    }

    @Test func `What an app posts and removes by itself has one row`() {
        let timeline = Timeline([
            entry(1, at: 0, .posted, "chat-7"), entry(1, at: 0, .delivered, "chat-7"),
            entry(2, at: 5, .withdrawn, "chat-7"),
        ])
        #expect(
            timeline.lanes.first?.stays == [Timeline.Stay(identifier: "chat-7", start: 0, end: 1, ending: .withdrawn)])
        #expect(timeline.lanes.count == 1)
    }

    @Test func `A number on an icon is no notification, and is drawn`() throws {
        let timeline = Timeline([
            entry(1, at: 0, .delivered, "push-1"), entry(2, at: 5, .badgeSet, "7"), entry(3, at: 9, .badgeSet, "12"),
        ])
        let svg = TimelinePicture.draw(timeline).svg
        #expect(svg.contains("Time line of 1 notification<"))
        let texts = try SVGReader(svg).texts
        #expect(texts.contains("badge-set 7") && texts.contains("badge-set 12"))
    }

    @Test func `The name of what happened to a Live Activity is below its bar`() throws {
        let timeline = Timeline([entry(5, at: 0, .started, "activity-5"), entry(5, at: 0, .alerted, "activity-5")])
        let reader = try SVGReader(TimelinePicture.draw(timeline).svg)
        let bar = try #require(reader.frames(.shown).first)
        let name = try #require(reader.elements.first { $0.name == "text" && $0.text == "alerted" })
        // No letter is higher than 0.78 of the font's size.
        #expect(name.number("y") - 0.78 * name.number("font-size") >= bar.y + bar.height)
    }

    @Test func `Apps have rows of their own, also with the same identifier`() {
        let timeline = Timeline([
            entry(1, at: 0, .delivered, "result"), entry(2, at: 1, .replaced, "result", app: "org.example.radio"),
        ])
        #expect(timeline.lanes.map(\.app) == ["org.example.news", "org.example.radio"])
        // The second one was there before the journal begins.
        #expect(timeline.lanes.last?.stays.first?.start == nil)
    }

    @Test(arguments: JournalKind.allCases)
    func `Every kind of entry can be drawn`(_ kind: JournalKind) throws {
        let timeline = Timeline([
            entry(1, at: .min, kind, "a<b"), entry(2, at: .max, kind, ""), entry(2, at: 0, kind, "a<b"),
        ])
        _ = try SVGReader(TimelinePicture.draw(timeline).svg)
    }

    /// What is drawn has a column each; those of rows that are not drawn are left out.
    @Test func `Rows that are left out leave no empty columns`() throws {
        // A row that is first, and goes on until the end, is left out with what happened in it.
        let long = (0..<3).map { entry(1, at: Int64($0), $0 == 0 ? .delivered : .replaced, "first") }
        let others = (10..<10 + Timeline.mostLanes).map { entry(UInt64($0), at: Int64($0), .delivered, "push-\($0)") }
        let timeline = Timeline(long + others)
        #expect(timeline.lanesLeftOut == 1)
        #expect(timeline.columns.map(\.time) == (10..<10 + Timeline.mostLanes).map(Int64.init))
        #expect(timeline.lanes.map { $0.stays.map(\.start) } == (0..<Timeline.mostLanes).map { [$0] })
    }

    @Test(arguments: Effort.some([(1500, "1,460 earlier"), (5000, "4,960 earlier")], fast: 1))
    func `A long journal draws its newest entries`(count: Int, earlier: String) throws {
        let entries = (1...count).map { entry(UInt64($0), at: Int64($0), .delivered, "push-\($0)") }
        let timeline = Timeline(entries)
        #expect(timeline.columns.last?.time == Int64(count))
        #expect(timeline.columns.count == Timeline.mostLanes)
        #expect(timeline.entriesLeftOut == count - Timeline.mostColumns)
        #expect(timeline.lanes.count == Timeline.mostLanes)
        #expect(timeline.lanesLeftOut == Timeline.mostColumns - Timeline.mostLanes)
        let picture = TimelinePicture.draw(timeline)
        #expect(try SVGReader(picture.svg).texts.contains(earlier))
        #expect(picture.svg.utf8.count < 100_000)
    }

    @Test func `A store's journal is read to its end`() throws {
        let records = (1...2000).map { apns(#""\#($0)""#, collapse: "one") }.joined()
        let timeline = try Timeline(try delivered(records))
        #expect(timeline.columns.count == Timeline.mostColumns)
        #expect(timeline.entriesLeftOut == 2000 - Timeline.mostColumns)
        #expect(timeline.lanes.first?.stays.first?.changes.count == Timeline.mostColumns)
    }

    @Test(arguments: [
        (0, 0, "0 ms"), (0, 999, "999 ms"), (0, 4_200, "4.2 s"), (0, 5_000, "5 s"), (0, 720_000, "12 min"),
        (0, 7_200_000, "2 h"),
        (0, 172_800_000, "2 d"), (5, 0, "0 ms"), (Int64.min, .max, "0 ms"),
    ])
    func `Elapsed times`(start: Int64, end: Int64, text: String) {
        #expect(TimelinePicture.elapsed(from: start, to: end) == text)
    }

    @Test func `An empty journal says so`() throws {
        #expect(try SVGReader(TimelinePicture.draw(Timeline([])).svg).texts.contains("The journal is empty"))
    }
}
