import Foundation
import TestSupport
import Testing

/// `pushpipe view`: a store in a browser. What the page does is in Tests/Services/Console.
struct ViewTests {
    private static let record =
        #"{"device":"ab12","headers":{"apns-topic":"org.example.app"},"payload":{"aps":{"alert":"Hi"}}}"# + "\n"

    @Test func `a store is shown until a signal, and stays as it was`() throws {
        let folder = try Folder()
        #expect(try folder.pushpipe("run", "--store", "phone.db", stdin: Self.record).status == 0)
        let before = try folder.pushpipe("store", "export", "phone.db").text
        let server = try ServerRun(view: "phone.db", in: folder)
        let screen = try folder.shell("curl -sS \(server.address)/api/v1/devices/ab12/screens")
        #expect(screen.text.contains(#""body":"Hi""#), "\(screen)")
        #expect(try folder.shell("curl -sS \(server.address)/").text.contains("<title>pushpipe</title>"))
        let refused = try folder.shell("curl -sS -d '{}' -w '%{http_code}' \(server.address)/api/v1/records")
        #expect(refused.text.hasSuffix("409"), "\(refused)")
        server.run.signal(SIGINT)
        #expect(try server.run.finish(endingInput: false).status == 130)
        #expect(try folder.pushpipe("store", "export", "phone.db").text == before)
    }

    @Test func `what another process writes is an event, and then shown`() throws {
        let folder = try Folder()
        #expect(try folder.pushpipe("run", "--store", "phone.db", stdin: Self.record).status == 0)
        try folder.write(Self.record, to: "record.ndjson")
        let server = try ServerRun(view: "phone.db", in: folder)
        // Writes once the stream has begun, and waits for the event.
        let events = try folder.shell(
            """
            mkfifo events
            curl -sSN --max-time 60 '\(server.address)/api/v1/events?changes=true' >events & stream=$!
            while read -r line; do
                case $line in
                    retry:*) pushpipe run -q --store phone.db record.ndjson >report ;;
                    'event: change') read -r data && echo "$data"; break ;;
                esac
            done <events
            kill $stream
            """)
        #expect(events.text == #"data: {"journal":2}"# + "\n", "\(events)")
        let screen = try folder.shell("curl -sS \(server.address)/api/v1/devices/ab12/screens")
        #expect(screen.text.matches(of: /"body":"Hi"/).count == 2, "\(screen)")
        server.run.signal(SIGINT)
        #expect(try server.run.finish(endingInput: false).status == 130)
    }

    @Test(arguments: [
        (["view"], "name the store"), (["view", "nothing.db"], "nothing.db"), (["view", "text.db"], "text.db"),
        (["view", "--listen", "nowhere", "phone.db"], "--listen"), (["view", "a.db", "b.db"], "b.db"),
        (["view", "--access-key", "@missing", "phone.db"], "missing"),
    ])
    func `what cannot be shown is status 2, and says why`(arguments: [String], words: String) throws {
        let folder = try Folder()
        _ = try folder.pushpipe("run", "--store", "phone.db", stdin: Self.record)
        try Data("no store".utf8).write(to: URL(fileURLWithPath: folder.path("text.db")))
        let output = try folder.pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(words), "\(output.stderr)")
    }
}
