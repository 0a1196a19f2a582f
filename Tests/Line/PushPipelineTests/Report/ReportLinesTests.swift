import Testing

@testable import PushPipeline

/// The rare details of lines.
struct ReportLinesTests {
    @Test func `a message finds its note, in whatever order the notes were made`() {
        let lines = ReportLines()
        #expect(!lines.hasNotes)
        lines.updateNote(of: 4) { $0.recipients = 4 }
        lines.updateNote(of: -1) { $0.recipients = 9 }
        lines.updateNote(of: 2) { $0.recipients = 2 }
        lines.updateNote(of: 4) { $0.original = 7 }
        #expect((0..<7).map { lines.note(of: $0)?.recipients } == [nil, nil, 2, nil, 4, nil, nil])
        #expect(lines.note(of: 4)?.original == 7)
        lines.changeNotes(of: 0..<4) { $0.recipients = 5 }
        #expect((0..<7).map { lines.note(of: $0)?.recipients } == [nil, nil, 5, nil, 4, nil, nil])
        lines.removeAll()
        #expect(!lines.hasNotes)
        #expect((-1..<7).allSatisfy { lines.note(of: $0)?.recipients == nil })
    }

    @Test func `the note of a message that is not in the chunk is taken once`() {
        let lines = ReportLines()
        lines.updateNote(of: -1) { $0.recipients = 9 }
        #expect(lines.takeNote(of: -1)?.recipients == 9)
        #expect(lines.takeNote(of: -1)?.recipients == nil)
        #expect(!lines.hasNotes)
        lines.updateNote(of: -1) { $0.recipients = 8 }
        lines.updateNote(of: 0) { $0.recipients = 1 }
        #expect(lines.takeNote(of: -1)?.recipients == 8)
        #expect(lines.takeNote(of: -1)?.recipients == nil)
        #expect(lines.note(of: 0)?.recipients == 1)
    }
}
