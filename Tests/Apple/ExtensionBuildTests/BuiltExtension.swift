#if os(Linux)
    import ExtensionBuild
    import Foundation
    import TestSupport
    import Testing

    /// An extension that was compiled for real, in a folder that is deleted together with it.
    final class BuiltExtension {
        /// True if libraries are here. CI has them, so that what is missing there is an error.
        static func has(_ headers: String...) -> Bool {
            ProcessInfo.processInfo.environment["CI"] != nil
                || headers.allSatisfy { FileManager.default.fileExists(atPath: "/usr/include/" + $0) }
        }

        /// A folder of `Cases`.
        static func path(_ name: String) -> String {
            packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases/" + name
        }

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-\(UUID().uuidString)")
        private(set) var notices: [String] = []
        private var path = ""

        init(_ configure: (inout ExtensionBuilder) -> Void) throws {
            var builder = ExtensionBuilder(
                paths: [], cache: folder.path + "/cache", runtime: .init(named: packageFolder.path, command: nil))
            configure(&builder)
            builder.output = folder.path
            var log = ""
            let built = try builder.build(with: SwiftCompiler()) { event in
                if case .compilerErrors(let text) = event { log += text }
                if case .notice(let text, _) = event { self.notices.append(text) }
            }
            path = try #require(built, "\(log)")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The messages of the extension about a push, up to its call of the content handler. The device has no categories.
        func answer(to payload: String) throws -> String {
            let process = Process()
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            process.executableURL = URL(fileURLWithPath: path + "/" + name)
            // Foundation takes the user's home from the system's table unless the second says otherwise.
            process.environment = [
                "PUSHPIPE_EXTENSION_PROTOCOL": "1", "HOME": folder.path, "CFFIXED_USER_HOME": folder.path,
            ]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            func send(_ line: String) throws {
                try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
            }
            try send(#"{"method":"didReceive","id":1,"request":{"identifier":"a","payload":\#(payload)}}"#)
            var lines = ""
            var answered = 0
            while !lines.contains("contentHandler") {
                let piece = output.fileHandleForReading.availableData
                if piece.isEmpty { break }
                lines += String(decoding: piece, as: UTF8.self)
                let calls = lines.matches(of: #/"call":([0-9]+)/#)
                for call in calls.dropFirst(answered) {
                    try send(#"{"method":"answer","call":\#(call.1),"categories":[]}"#)
                }
                answered = calls.count
            }
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            return lines.replacing(#"\/"#, with: "/")
        }
    }
#endif
