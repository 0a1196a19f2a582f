#if os(Linux)
    import Foundation
    import UserNotifications

    /// When approved snapshots are written.
    public enum SnapshotRecording: String, Sendable {
        /// New ones are written, and fail once; others are compared.
        case missing
        /// New and changed ones are written, and fail once; those that are as approved pass.
        case all
        /// None is written.
        case never

        /// The value of the variable `SNAPSHOT_TESTING_RECORD`, which other libraries for snapshots read, too. Without it `never` where the
        /// variable `CI` is set, else `missing`.
        public static var fromEnvironment: SnapshotRecording {
            let environment = ProcessInfo.processInfo.environment
            if let named = environment["SNAPSHOT_TESTING_RECORD"].flatMap({ SnapshotRecording(rawValue: $0) }) {
                return named
            }
            return environment["CI"]?.isEmpty == false ? .never : .missing
        }
    }

    /// A test's expectation that is not met: a screen is not as approved, a request did not arrive, or a server cannot start.
    public struct UnmetExpectation: Error, CustomStringConvertible {
        /// The difference or the reason, and what to do.
        public let description: String
    }

    /// The form in which a screen is compared.
    public enum SnapshotFormat: Sendable {
        /// `text`, in a `.txt` file.
        case text
        /// `svg()`, in a `.svg` file, which a browser shows.
        case svg
    }

    extension NotificationScreen {
        /// Compares the screen with an approved file: `__Snapshots__/FILE/TEST.txt` or `.svg` beside the test.
        ///
        /// Approve what is new by running the test again, and what has changed with `SNAPSHOT_TESTING_RECORD=all swift test`.
        ///
        /// - Parameters:
        ///   - format: text says what is on the screen; a picture also shows what is cut off.
        ///   - name: tells snapshots of one test apart.
        ///   - recording: when files are written.
        ///   - file: the file of the test.
        ///   - test: the test's function, such as `shows the sender()`.
        /// - Throws: `UnmetExpectation`, or an error of Foundation if the file cannot be read or written.
        public func assertSnapshot(
            as format: SnapshotFormat = .text, named name: String? = nil,
            recording: SnapshotRecording = .fromEnvironment, file: String = #filePath,
            test: String = #function
        ) throws {
            let (type, contents) =
                switch format {
                case .text: ("txt", text)
                case .svg: ("svg", svg())
                }
            try ApprovedFile(test: test, name: name, type: type, testFile: file).check(contents, recording)
        }
    }

    /// The file of a snapshot.
    struct ApprovedFile {
        let url: URL

        /// - Parameters:
        ///   - test: the test's function, such as `shows the sender()`.
        ///   - name: nil for the only one of a test.
        ///   - type: the file's extension.
        ///   - testFile: the file of the test.
        init(test: String, name: String?, type: String, testFile: String) {
            let file = URL(fileURLWithPath: testFile)
            let names = [test.prefix { $0 != "(" }.description, name].compactMap(\.self).map(Self.fileName)
            url = file.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
                .appendingPathComponent(file.deletingPathExtension().lastPathComponent)
                .appendingPathComponent(names.joined(separator: ".") + "." + type)
        }

        /// Words of a test's name, joined by `-`.
        private static func fileName(_ text: String) -> String {
            text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.joined(separator: "-")
        }

        /// - Throws: `UnmetExpectation`, or an error of Foundation.
        func check(_ text: String, _ recording: SnapshotRecording) throws {
            // As bytes: a string equals another encoding of its accented letters.
            let bytes = FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil
            let isSame = bytes == Data(text.utf8)
            if recording == .all, !isSame {
                try write(text)
                throw UnmetExpectation(description: "recorded \(url.path); run the test again without recording")
            }
            guard let bytes else {
                guard recording == .missing else {
                    throw UnmetExpectation(
                        description: "nothing is approved: \(url.path) does not exist. It would be\n\(text)")
                }
                try write(text)
                throw UnmetExpectation(
                    description: "recorded a new snapshot: look at \(url.path), and run the test again\n\(text)")
            }
            guard !isSame else { return }
            throw UnmetExpectation(
                description: """
                    the screen differs from \(url.path) (- approved, + now; \
                    SNAPSHOT_TESTING_RECORD=all approves it)
                    \(Self.difference(String(decoding: bytes, as: UTF8.self), text))
                    """)
        }

        private func write(_ text: String) throws {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        }

        /// The lines of both texts, each with `-`, `+` or a space before it.
        static func difference(_ old: String, _ new: String) -> String {
            let old = old.split(separator: "\n", omittingEmptySubsequences: false)
            let new = new.split(separator: "\n", omittingEmptySubsequences: false)
            var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
            for change in new.difference(from: old, by: { $0.utf8.elementsEqual($1.utf8) }) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): inserted.insert(offset)
                }
            }
            var lines: [String] = []
            var left = 0
            var right = 0
            while left < old.count || right < new.count {
                if removed.contains(left) {
                    lines.append("-\(old[left])")
                    left += 1
                } else if inserted.contains(right) {
                    lines.append("+\(new[right])")
                    right += 1
                } else {
                    lines.append(" \(old[left])")
                    left = left + 1
                    right = right + 1
                }
            }
            return lines.joined(separator: "\n")
        }
    }
#endif
