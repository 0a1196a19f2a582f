#if os(Linux)
    @testable import ExtensionHosting
    import Foundation
    import PushModel
    import TestSupport
    import Testing

    @Suite struct DeadlineTests {
        /// A pair of sockets takes the extension's place. Its time is over when the host looks for the first time.
        @Test func `an answer that was written in time counts, however much stands before it`() throws {
            var sockets: [CInt] = [0, 0]
            try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets) == 0)
            let (host, program) = (sockets[0], FileHandle(fileDescriptor: sockets[1], closeOnDealloc: true))
            // More than the host reads at once. Lines of spaces mean nothing.
            let filler = String(repeating: String(repeating: " ", count: 99) + "\n", count: 900)
            let answer = #"{"method":"contentHandler","id":1,"content":{"title":"in time"}}"# + "\n"
            try program.write(contentsOf: Data((filler + answer).utf8))
            let input = dup(host)
            for descriptor in [host, input] { #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0) }
            let run = try Run("", program: "/none", input: Push.line("one")) {
                $0.timeLimit = .zero
                $0.standIn = { (input: input, output: host) }
            }
            #expect(run.extensions == [.modified])
            let sent = String(decoding: try program.readToEnd() ?? Data(), as: UTF8.self)
            #expect(sent.contains("didReceive") && !sent.contains("TimeWillExpire"))
        }

        @Test func `the reference names all variables that an extension sees`() throws {
            let page = packageFolder.appendingPathComponent("Documentation/reference/extension-protocol.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            for name in ExtensionSandbox.inheritedNames {
                // "also in capitals"
                let inText = name.hasSuffix("_PROXY") ? name.lowercased() : name
                #expect(text.contains("`\(inText)`"), "\(name)")
            }
            for prefix in ExtensionSandbox.inheritedPrefixes {
                #expect(text.contains("`\(prefix)`") || text.contains("`\(prefix)…`"), "\(prefix)")
            }
        }
    }
#endif
