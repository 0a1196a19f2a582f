#if os(Linux)
    import PushDevices
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushPipeline
    import TestSupport
    import Testing

    /// The rows of the outcome table, with processes.
    @Suite struct OutcomeTests {
        @Test func `the extension's content is shown`() throws {
            let run = try Run("template", input: Push.line("Hi"))
            #expect(run.extensions == [.modified])
            #expect(try run.shown().map(\.content.title) == ["T [modified]"])
            #expect(try run.shown().map(\.content.body) == ["Hi"])
            #expect(try run.shown().map(\.changes) == [#"{"title":"T [modified]"}"#])
            #expect(run.rules == [[]])
        }

        @Test func `the original payload is kept`() throws {
            let run = try Run("template", input: Push.line("Hi"))
            #expect(
                try run.shown().map(\.payload) == [#"{"aps":{"alert":{"title":"T","body":"Hi"},"mutable-content":1}}"#])
        }

        @Test(arguments: [
            #"{"aps":{"alert":"Hi"}}"#, #"{"aps":{"badge":1,"mutable-content":1}}"#,
            #"{"aps":{"alert":"Hi","mutable-content":"1"}}"#,
        ])
        func `without mutable-content 1 and an alert no extension is started`(payload: String) throws {
            let run = try Run("crash", input: payload)
            #expect(run.extensions == [nil])
            #expect(run.rules.flatMap(\.self).filter { $0.hasPrefix("extension.") }.isEmpty)
        }

        @Test func `a handler that is never called leaves the original content`() throws {
            let run = try Run("silent", input: Push.line("Hi")) { $0.timeLimit = .milliseconds(300) }
            #expect(run.extensions == [.original])
            #expect(run.outcomes == [.delivered])
            #expect(run.rules == [["extension.handler-not-called"]])
            #expect(try run.shown().map(\.content.body) == ["Hi"])
        }

        @Test func `serviceExtensionTimeWillExpire is the last chance`() throws {
            let run = try Run("late", input: Push.line("Hi")) { $0.timeLimit = .milliseconds(300) }
            #expect(run.extensions == [.modified])
            #expect(try run.shown().map(\.content.body) == ["still loading"])
            #expect(run.rules == [["extension.expired"]])
        }

        @Test func `content without text leaves the original content`() throws {
            let run = try Run("empty", input: Push.line("Hi"))
            #expect(run.extensions == [.original])
            #expect(run.rules == [["extension.empty-text"]])
            #expect(try run.shown().map(\.content.body) == ["Hi"])
        }

        @Test func `content without text shows nothing when the app may filter`() throws {
            let run = try Run("empty", input: Push.line("Hi")) { $0.mayFilter = true }
            #expect(run.extensions == [.filtered])
            #expect(run.outcomes == [.suppressed])
            #expect(try run.shown().isEmpty)
        }

        @Test func `the second call of the handler is ignored and reported`() throws {
            let run = try Run("twice", input: Push.line("Hi"))
            #expect(try run.shown().map(\.content.body) == ["first"])
            #expect(run.rules == [["extension.handler-called-twice"]])
        }

        @Test func `a crash leaves the original content, and the next push gets a new process`() throws {
            let run = try Run("crash-on-bad", input: Push.line("one") + Push.line("bad") + Push.line("three"))
            #expect(run.extensions == [.modified, .original, .modified])
            #expect(run.rules == [[], ["extension.crashed"], []])
            let message = try #require(run.messages.first)
            let why =
                /the extension was ended by signal 4 \(Illegal instruction\): \S*main\.swift:\d+: Fatal error: asked to crash/
            #expect(message.wholeMatch(of: why) != nil, "\(message)")
            #expect(try run.shown().map(\.content.body) == ["one", "bad", "three"])
        }

        @Test func `content passed to the handler counts when the process crashes afterwards`() throws {
            let run = try Run("crash-after-handler", input: Push.line("one"))
            #expect(run.extensions == [.modified])
            #expect(run.rules == [["extension.crashed"]])
        }

        @Test func `the exit status of a process is reported`() throws {
            let run = try Run("exit", input: Push.line("one"))
            #expect(run.extensions == [.original])
            #expect(run.messages == ["the extension exited with status 3"])
        }

        @Test func `a process that blocks forever is ended at its time limit`() throws {
            let run = try Run("hang", input: Push.line("one") + Push.line("two")) { $0.timeLimit = .milliseconds(300) }
            #expect(run.extensions == [.original, .original])
            #expect(run.rules == [["extension.handler-not-called"], ["extension.handler-not-called"]])
        }

        @Test func `a process that blocks after its handler call loses nothing`() throws {
            let run = try Run("blocking", input: Push.line("one") + Push.line("two")) {
                $0.timeLimit = .milliseconds(300)
            }
            #expect(run.extensions == [.modified, .modified])
        }

        @Test func `memory beyond the limit ends the process`() throws {
            let run = try Run("memory", input: Push.line("one")) { $0.memoryLimit = 24 << 20 }
            #expect(run.extensions == [.original])
            #expect(run.rules == [["extension.memory-limit"]])
        }

        @Test func `without a limit, 24 MB more than at the start are a finding`() throws {
            let run = try Run("memory", input: Push.line("one"))
            #expect(run.rules == [["extension.memory-limit"]])
            #expect(try Run("template", input: Push.line("one")).rules == [[]])
        }

        @Test func `an ordinary extension stays within 24 MB`() throws {
            let run = try Run("template", input: Push.line("one") + Push.line("two")) { $0.memoryLimit = 24_000_000 }
            #expect(run.extensions == [.modified, .modified])
        }

        /// Apple's template keeps its content handler, which kept 8 KB of each of these pushes.
        @Test(.enabled(if: getenv("ASAN_OPTIONS") == nil && getenv("TSAN_OPTIONS") == nil, "a sanitizer takes memory"))
        func `a process does not grow with each push`() throws {
            let body = String(repeating: "x", count: 3000)
            let input = (0..<3000).map { Push.line("\($0) \(body)") }.joined()
            let run = try Run("template", input: input) { $0.memoryLimit = 16_000_000 }
            #expect(run.extensions == Array(repeating: .modified, count: 3000))
        }

        @Test func `state in static variables leaks from one push to the next`() throws {
            let run = try Run("leaky", input: Push.line("one") + Push.line("two"))
            #expect(try run.shown().map(\.content.subtitle) == ["1", "2"])
        }

        @Test func `output that an extension prints is not mistaken for a message`() throws {
            let folder = try Folder()
            let program = try Program.script("exec '\(Program.probe())' 2>'\(folder.path("printed"))'", in: folder)
            let run = try Run("print", program: program, input: Push.line("one"))
            #expect(run.extensions == [.modified])
            #expect(run.rules == [[]])
            #expect(try folder.read("printed") == "not a message\n")
        }

        @Test func `the main queue is served while didReceive waits elsewhere`() throws {
            let run = try Run("main-queue", input: Push.line("one"))
            #expect(try run.shown().map(\.content.subtitle) == ["main"])
        }

        @Test func `an identifier cannot be changed`() throws {
            let input =
                #"{"headers":{"apns-topic":"a","apns-collapse-id":"c"},"payload":{"aps":{"alert":"Hi","mutable-content":1}}}"#
            let run = try Run("template", input: input)
            #expect(try run.shown().map(\.identifier) == ["c"])
        }
    }
#endif
