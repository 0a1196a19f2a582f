#if os(Linux)
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushSystem
    import TestSupport
    import Testing

    /// Each in a process of its own, which adopts orphans, and where nobody else starts others.
    @Suite struct OrphanTests {
        /// Starts processes that leave its group, one of them without a parent, and answers pushes.
        private static let script = """
            setsid sh -c 'echo $$ >> pids; exec sleep 300' &
            (setsid sh -c 'unset PUSHPIPE_EXTENSION_PROCESS; echo $$ >> pids; sh -c "echo \\$\\$ >> pids; exec sleep 300"; :' &)
            while [ "$(wc -l < pids)" -lt 3 ]; do sleep 0.01; done
            while read -r line; do
                id=${line#*'"id":'}; id=${id%%,*}
                echo '{"method":"contentHandler","id":'$id',"content":{"title":"T"}}'
            done
            """

        private static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }

        private static func processes(_ folder: Folder) throws -> [Int32] {
            try String(contentsOfFile: folder.path("pids"), encoding: .utf8).split(separator: "\n").compactMap {
                Int32($0)
            }
        }

        @Test func `processes that an extension leaves behind end with it, and no others`() async {
            await #expect(processExitsWith: .success) {
                let folder = try Folder()
                #expect(FileManager.default.changeCurrentDirectoryPath(folder.url.path))
                let stranger = Process()
                stranger.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                stranger.arguments = ["sleep", "300"]
                try stranger.run()
                ChildProcesses.claim()
                var launch = ProgramLaunch(
                    executable: "/usr/bin/env", arguments: ["env", "sleep", "300"],
                    environment: [])
                launch.isSeparate = true
                let own = try launch.start()
                // An orphan of the same group as this process, as a shell leaves one.
                ChildProcesses.adoptOrphans()
                let shell = ["sh", "-c", "sleep 300 & echo $! > orphan"]
                _ = try ProgramLaunch(executable: "/bin/sh", arguments: shell, environment: ["PATH=/usr/bin:/bin"])
                    .start().wait()
                let orphan = Int32(try String(contentsOfFile: folder.path("orphan"), encoding: .utf8).dropLast()) ?? 0
                #expect(FileManager.default.createFile(atPath: folder.path("pids"), contents: nil))
                let run = try Run("", program: Program.script(OrphanTests.script, in: folder), input: Push.line("one"))
                let left = try OrphanTests.processes(folder)
                defer { for process in left { kill(process, SIGKILL) } }
                #expect(run.extensions == [.modified] && left.count == 3)
                #expect(left.filter(OrphanTests.isRunning) == [])
                #expect(stranger.isRunning && OrphanTests.isRunning(own.rawValue))
                #expect(orphan > 0 && OrphanTests.isRunning(orphan))
                kill(orphan, SIGKILL)
                stranger.terminate()
                own.killGroup()
            }
        }

        @Test func `without the claim, a process of the program that uses the library is no orphan`() async {
            await #expect(processExitsWith: .success) {
                ChildProcesses.adoptOrphans()
                let child = Process()
                child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                child.arguments = ["sleep", "300"]
                try child.run()
                ChildProcesses.endOrphans()
                #expect(child.isRunning)
                child.terminate()
            }
        }
    }
#endif
