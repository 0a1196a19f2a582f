import PushDevices
import PushSQLite
import TestSupport
import Testing

/// What a store says of the divided input that it holds a part of.
struct PartRowTests {
    @Test func `a store of whole inputs is not a part`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        #expect(try store.part() == nil)
        #expect(try store.streamOffsets().isEmpty)
        try store.transaction(replacing: nil) {
            let (part, offset) = (try $0.progress.part(), try $0.progress.offset(ofStream: "pushes/3"))
            #expect(part == nil)
            #expect(offset == nil)
        }
    }

    @Test func `a part and the offsets of streams are kept with the deliveries`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.transaction(replacing: nil) {
            try $0.progress.setPart(PartMark(part: 3, of: 64))
            try $0.progress.setOffset(StreamOffset(stream: "pushes/3", offset: "17"))
            try $0.progress.setOffset(StreamOffset(stream: "pushes/12", offset: "1526919030474-55"))
            try $0.progress.setOffset(StreamOffset(stream: "pushes/3", offset: "18"))
            let (part, offset) = (try $0.progress.part(), try $0.progress.offset(ofStream: "pushes/3"))
            #expect(part == PartMark(part: 3, of: 64))
            #expect(offset == "18")
        }
        let expected = [
            StreamOffset(stream: "pushes/12", offset: "1526919030474-55"),
            StreamOffset(stream: "pushes/3", offset: "18"),
        ]
        #expect(try SQLiteStore(path: folder(), access: .readOnly).streamOffsets() == expected)
        #expect(try store.part() == PartMark(part: 3, of: 64, isComplete: false))
        try store.transaction(replacing: nil) { try $0.progress.setPart(PartMark(part: 3, of: 64, isComplete: true)) }
        #expect(try store.part()?.isComplete == true)
    }

    @Test func `what fails leaves no offset`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        #expect(throws: Interruption.self) {
            try store.transaction(replacing: nil) {
                try $0.progress.setOffset(StreamOffset(stream: "pushes/3", offset: "17"))
                throw Interruption()
            }
        }
        #expect(try store.streamOffsets().isEmpty)
    }
}
