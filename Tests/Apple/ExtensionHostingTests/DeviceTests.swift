#if os(Linux)
    import PushDevices
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushSystem
    import TestSupport
    import Testing

    /// What a process finds on its device, and how long it lives.
    @Suite struct DeviceTests {
        @Test func `a request that was begun before the content handler is finished, and reported`() throws {
            let folder = try Folder()
            let server = try LoopbackServer(body: Data("received".utf8), isHolding: true)
            let run = try Run("receipt", input: Push.line("Hi")) {
                $0.environment["PUSHPIPE_PROBE_URL"] = "http://127.0.0.1:\(server.port)/receipts"
                $0.environment["PUSHPIPE_PROBE_FILE"] = folder.path("answer")
            } whenReported: {
                server.release()
            }
            #expect(run.extensions == [.modified])
            #expect(run.rules == [["extension.unfinished-work"]])
            #expect(run.messages.first?.hasSuffix("POST http://127.0.0.1:\(server.port)/receipts") == true)
            #expect(try String(contentsOfFile: folder.path("answer"), encoding: .utf8) == "received")
        }

        @Test(
            arguments: [
                ("/photos/cranes.png", nil, "cranes.png"), ("/photos/17", "image/jpeg", "17.jpeg"),
                ("/photos/17", nil, "17"), ("/", nil, "127.0.0.1"), ("/resize.php", "image/png", "resize.php.png"),
                ("/cranes.jpg", "image/jpeg", "cranes.jpg"),
            ] as [(String, String?, String)])
        func `a response suggests a name for its file`(path: String, type: String?, name: String) throws {
            let server = try LoopbackServer(body: Data("x".utf8), contentType: type)
            let run = try Run("download", input: Push.line("Hi")) {
                $0.environment["PUSHPIPE_PROBE_URL"] = "http://127.0.0.1:\(server.port)\(path)"
            }
            #expect(try run.shown().map(\.content.subtitle) == [name])
            #expect(run.rules == [[]])
        }

        @Test func `an extension on a locked device cannot read its key`() throws {
            func device(_ locked: String) -> String { #"{"event":"device","device":"ab","locked":\#(locked)}"# + "\n" }
            let input =
                Push.line("add") + device("true") + Push.line("1") + device(#""before-first-unlock""#)
                + Push.line("2") + device("false") + Push.line("3")
            let run = try Run("keychain", input: input)
            #expect(try run.shown().map(\.content.subtitle) == ["0", "-25308", "-25308", "0"])
        }

        @Test func `an extension cannot read its key in a file before the first unlock`() throws {
            let folder = try Folder()
            func device(_ locked: String) -> String { #"{"event":"device","device":"ab","locked":\#(locked)}"# + "\n" }
            let input =
                Push.line("add") + device("true") + Push.line("1") + device(#""before-first-unlock""#)
                + Push.line("2") + device("false") + Push.line("3")
            let run = try Run("file", input: input) { $0.sandbox = folder.path("sandbox") }
            #expect(try run.shown().map(\.content.subtitle) == ["key", "key", "257", "key"])
        }

        @Test func `an extension learns when its texts are shown`() throws {
            func device(_ previews: String) -> String {
                #"{"event":"device","device":"ab","previews":"\#(previews)"}"# + "\n"
            }
            let input =
                Push.line("1") + device("when-unlocked") + Push.line("2") + device("never") + Push.line("3")
                + device("always") + Push.line("4")
            let run = try Run("previews", input: input)
            #expect(try run.shown().map(\.content.subtitle) == ["0", "1", "2", "0"])
        }

        @Test func `the keychain begins with the items of its seed, and keeps what is in its sandbox`() throws {
            let folder = try Folder()
            func statuses(_ account: String) throws -> [String] {
                let items = [["class": "genp", "acct": account, "pdmn": "ck"]]
                let list = try PropertyListSerialization.data(fromPropertyList: items, format: .xml, options: 0)
                let locked = #"{"event":"device","device":"ab","locked":true}"# + "\n"
                let run = try Run("keychain", input: Push.line("Hi") + locked + Push.line("Hi again")) {
                    $0.sandbox = folder.path("sandbox")
                    $0.keychain = Array(list)
                }
                return try run.shown().map { $0.content.subtitle ?? "" }
            }
            #expect(try statuses("key") == ["0", "0"])
            // The probe would not find this one.
            #expect(try statuses("other") == ["0", "0"])
        }

        @Test func `the locale is that of the device's language`() throws {
            let run = try Run("locale", input: Push.line("Hi")) { $0.locale = "de-AT" }
            let content = try #require(try run.shown().first?.content)
            #expect([content.title, content.subtitle, content.body] == ["de_AT", "de-AT", "1,5"])
        }

        @Test func `nil removes a default, and there is a library folder`() throws {
            let folder = try Folder()
            let run = try Run("nil-defaults", input: Push.line("Hi")) { $0.sandbox = folder.path("sandbox") }
            #expect(try run.shown().map(\.content.subtitle) == [folder.path("sandbox/home/Library")])
        }

        @Test func `defaults of an app group are set before the first push, and stay`() throws {
            let folder = try Folder()
            let list = try PropertyListSerialization.data(fromPropertyList: ["count": 41], format: .xml, options: 0)
            func badge() throws -> [Int?] {
                let run = try Run("group", input: Push.line("Hi")) {
                    $0.sandbox = folder.path("sandbox")
                    $0.appGroups = ["group.org.example.probe": Array(list)]
                }
                return try run.shown().map(\.content.badge)
            }
            #expect(try badge() == [42])
            #expect(try badge() == [43])
        }

        @Test func `certificates are added to those of the system`() throws {
            let folder = try Folder()
            try Data("OWN CERTIFICATE\n".utf8).write(to: folder.url.appendingPathComponent("ca.pem"))
            let script = """
                read -r line
                for file in "$CURL_CA_BUNDLE" "$SSL_CERT_FILE"; do
                    last="$last$(tail -n 1 "$file"),"
                done
                echo '{"method":"contentHandler","id":1,"content":{"title":"'$last'"}}'
                """
            let run = try Run("", program: Program.script(script, in: folder), input: Push.line("Hi")) {
                $0.certificates = folder.path("ca.pem")
            }
            #expect(try run.shown().map(\.content.title) == ["OWN CERTIFICATE,OWN CERTIFICATE,"])
            // What Foundation opens in the process of an extension.
            let opened = try Run("authorities", input: Push.line("Hi")) { $0.certificates = folder.path("ca.pem") }
            #expect(try opened.shown().map(\.content.title) == ["OWN CERTIFICATE\n"])
            #expect(throws: PlainError.self) {
                try Run("template", input: Push.line("Hi")) { $0.certificates = folder.path("none.pem") }
            }
        }
    }
#endif
