import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Devices that are locked, and apps that hide the texts of their notifications.
struct LockedDeviceTests {
    @Test(arguments: ["true", "false", #""before-first-unlock""#, "null"])
    func `a device is locked, unlocked, or was restarted`(value: String) throws {
        #expect(try story([device(#""locked":\#(value)"#)]) == ["1 device applied"])
    }

    @Test(arguments: [
        #""locked":"true""#, #""locked":1"#, #""locked":"after-first-unlock""#, #""locked":[]"#, #""previews":true"#,
        #""previews":"when-authenticated""#,
    ])
    func `another value is not one`(member: String) throws {
        #expect(try story([device(member)]).first?.hasSuffix(" event.value") == true)
    }

    @Test func `neither keeps a push from being shown`() throws {
        let event = device(#""app":"org.example.news","locked":"before-first-unlock","previews":"never""#)
        let store = MemoryStore()
        #expect(try story([event, push()], store: store).last == "2 delivered")
        #expect(try store.notifications().map(\.content.body) == ["Text"])
    }

    private func lines(_ store: any BrowsableStore) throws -> [String] {
        try store.registered(on: "ab54").map { app in
            "\(app.app) \(app.event.lock?.rawValue ?? "-") \(app.event.settings.previews?.rawValue ?? "-") \(app.furtherEvents.count)"
        }
    }

    private let news = device(#""app":"news","locked":true,"previews":"when-unlocked""#)

    @Test func `the lock is the device's, previews are an app's`() throws {
        for isFile in [false, true] {
            let folder = try TestFolder()
            let store: any DeliveryStore & BrowsableStore =
                isFile ? try SQLiteStore(path: folder.path("phone.db")) : MemoryStore()
            _ = try story([news, device(#""app":"mail""#)], store: store)
            #expect(try lines(store) == ["news true when-unlocked 0", "mail true - 0"])
            _ = try story([device(#""app":"mail","locked":false,"previews":"never""#)], store: store)
            #expect(try lines(store) == ["news - when-unlocked 0", "mail - never 0"])
            _ = try story([device(#""app":"news","previews":"always""#)], store: store)
            #expect(try lines(store) == ["news - - 0", "mail - never 0"])
        }
    }

    @Test func `a file keeps them between runs, and a Focus beside them`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        func run(_ records: [String]) throws -> [String] {
            let store = try SQLiteStore(path: path)
            _ = try story(records, store: store)
            return try lines(store)
        }
        #expect(try run([news]) == ["news true when-unlocked 0"])
        #expect(try run([device(#""locked":"before-first-unlock""#)]) == ["news before-first-unlock when-unlocked 0"])
        #expect(
            try run([#"{"event":"focus","device":"ab54","on":true}"#]) == ["news before-first-unlock when-unlocked 1"])
        #expect(try run([device(#""locked":false"#)]) == ["news - when-unlocked 1"])
        #expect(
            try run([device(#""locked":true"#), #"{"event":"focus","device":"ab54","on":false}"#]) == [
                "news true when-unlocked 0"
            ])
    }

    @Test func `an export has them, and an import restores them`() throws {
        let folder = try TestFolder()
        let first = try SQLiteStore(path: folder.path("a.db"))
        let categories = #""categories":[{"id":"TALK","placeholder":"%u","shows_title":true,"shows_subtitle":true}]"#
        _ = try story([news, device(categories), push()], store: first)
        let second = try SQLiteStore(path: folder.path("b.db"))
        let text = try export(first)
        try folder.write(text, to: "export")
        try second.importing { importer in
            let file = try FileDescriptor.open(folder.path("export"), .readOnly)
            defer { file.close() }
            var counts = ImportCounts()
            try importer.add(exportFrom: file, &counts)
        }
        #expect(try export(second) == text)
        #expect(try lines(second) == lines(first))
        let category = try #require(try second.registered(on: "ab54").first?.event.settings.categories?.first)
        #expect(category.placeholder == "%u" && category.showsTitle && category.showsSubtitle)
        #expect(try second.devicesSeenDifferently() == ["ab54"])
    }

    private func export(_ store: SQLiteStore) throws -> String {
        var out = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: nil) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
