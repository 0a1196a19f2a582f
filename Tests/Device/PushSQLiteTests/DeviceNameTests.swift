import PushDevices
import PushSQLite
import TestSupport
import Testing

/// `device(named:)`: what a name, its beginning or its shortened form finds. The rules are those of git's commits (gitrevisions(7)).
struct DeviceNameTests {
    private func store(_ folder: TemporaryFolder, _ devices: [String]) throws -> SQLiteStore {
        let store = try SQLiteStore(path: folder())
        try store.run(devices.map { #"{"device":"\#($0)","payload":{"aps":{"alert":"x"}}}"# })
        return store
    }

    @Test func `the beginning of a name finds its only device, in either case`() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder, ["234c1becb987", "234d00", "ffee"])
        for typed in ["234c1becb987", "234c", "234C1B", "234c1bec…b987", "234C…B987", "…b987"] {
            #expect(try store.device(named: typed) == "234c1becb987", "\(typed)")
        }
        #expect(try store.device(named: "ff") == "ffee")
    }

    @Test func `a name may have the character that shortens others`() throws {
        let folder = try TemporaryFolder()
        let event = { (device: String) in #"{"to":"\#(device)","notification":{"title":"x"}}"# }
        let store = try SQLiteStore(path: folder())
        try store.run(["dA…x", "dAnna:x"].map(event))
        #expect(try store.device(named: "dA…x") == "dA…x")
        #expect(try store.device(named: "dAn…x") == "dAnna:x")
    }

    @Test func `a whole name is preferred to a longer one`() throws {
        let folder = try TemporaryFolder()
        #expect(try store(folder, ["ab12", "ab", "ab1234"]).device(named: "ab") == "ab")
    }

    @Test func `several devices are an error that lists them, and none is one, too`() throws {
        let folder = try TemporaryFolder()
        let names = (10..<30).map { "ab\($0)" }
        let store = try store(folder, names)
        let several = #expect(throws: NameError.self) { _ = try store.device(named: "ab") }
        #expect(several?.candidates == Array(names.prefix(10)))
        #expect(several?.hasMore == true)
        let two = #expect(throws: NameError.self) { _ = try store.device(named: "…0") }
        #expect(two?.candidates == ["ab10", "ab20"])
        #expect(two?.hasMore == false)
        for typed in ["b", "ab100", "ab10…10", "%", "ab__"] {
            let none = #expect(throws: NameError.self) { _ = try store.device(named: typed) }
            #expect(none?.candidates == [], "\(typed)")
        }
    }
}
