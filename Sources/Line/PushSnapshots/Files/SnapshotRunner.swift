import ExtensionHosting
import PushDecoding
import PushFiles
import PushGherkinRunner
import PushPipeline
import PushRuns
import PushScenarios
import PushStore
import PushSystem

/// Runs one input after the other, each on phones of its own, and composes what they show.
struct SnapshotRunner {
    enum Text {
        case composed([UInt8])
        /// Scenarios did not pass: why, a line or more for each.
        case failed(String)
        /// The input cannot be read: why.
        case unreadable(String)
    }

    private let delivery: RunJob
    private let setup: RunSetup
    private let note: (String) -> Void
    private let isStopped: () -> Bool

    /// - Parameters:
    ///   - note: called with a line for people.
    ///   - isStopped: true to end early; then the text of an input is not complete.
    /// - Throws: errors of `RunJob.setUp`.
    init(_ delivery: RunJob, note: @escaping (String) -> Void, isStopped: @escaping () -> Bool) throws {
        setup = try delivery.setUp(note: note)
        self.delivery = delivery
        self.note = note
        self.isStopped = isStopped
    }

    /// - Throws: errors that concern all inputs, such as an extension that cannot be started.
    func text(of input: SnapshotInput) throws -> Text {
        do throws(SystemError) {
            // Opening a pipe waits for its other end.
            guard try FileStatus(input.path).kind == .regular else { return .unreadable("not a regular file") }
        } catch {
            return .unreadable("\(error)")
        }
        return input.isFeature ? try scenarios(input.path) : try payloads(input.path)
    }

    private func payloads(_ path: String) throws -> Text {
        setup.begin(path)
        let store = MemoryStore(keepsJournal: false)
        let (pipeline, host) = try setup.pipeline(deliveringTo: store)
        defer { host?.finish() }
        try delivery.registerDevices(setup, pipeline, note: note)
        var text = SnapshotText(defaultDevice: delivery.configuration.decoding.device)
        do {
            let file = try FileDescriptor.open(path, .readOnly)
            defer { file.close() }
            try pipeline.process(
                fileDescriptor: file.rawValue, progress: nil, isStopped: isStopped,
                report: {
                    guard delivery.shownDevice?.shows($0.message.device.string) ?? true else { return }
                    text.add($0)
                    if text.bytes > FileBytes.maximumDocumentBytes { throw SystemError.fileTooLarge }
                }, flush: {})
        } catch let error as SystemError {
            return text.bytes > FileBytes.maximumDocumentBytes ? Self.tooLarge : .unreadable("\(error)")
        }
        try text.addScreens(store) { delivery.shownDevice?.shows($0) ?? true }
        return Self.composed(text.lines)
    }

    private func scenarios(_ path: String) throws -> Text {
        let files: [FeatureFile]
        do throws(FeatureFileError) { files = try FeatureFile.read([path]) } catch { return .unreadable("\(error)") }
        var lines: [String] = []
        var failures: [String] = []
        var names: [String: Int] = [:]
        var text = SnapshotText(defaultDevice: ScenarioSuite.defaultDevice)
        do {
            var suite = try ScenarioSuite(files, steps: .pushes())
            suite.command = delivery.command
            let observer: (borrowing RecordReport) -> Void = { text.add($0) }
            try suite.runDirectly(observing: observer) { result, store in
                if let failure = result.failure {
                    failures.append("\(path):\(failure.line): \(failure.text)\n\(failure.message)")
                }
                // Rows of an outline may have one name. Their lines in the file change more often than their number.
                let count = names[result.path, default: 0] + 1
                names[result.path] = count
                let number = count > 1 ? " (\(count))" : ""
                lines += ["", "\(SnapshotLine.scenario): \(SnapshotLine.escaped(result.path))\(number)"]
                if let store { try text.addScreens(store) }
                lines += text.lines
                text = SnapshotText(defaultDevice: ScenarioSuite.defaultDevice)
            }
        } catch let error as NothingToRun {
            return .unreadable("\(error)")
        }
        return failures.isEmpty ? Self.composed(lines) : .failed(failures.joined(separator: "\n"))
    }

    private static func composed(_ lines: [String]) -> Text {
        let bytes = SnapshotText.bytes(lines)
        return bytes.count > FileBytes.maximumDocumentBytes ? tooLarge : .composed(bytes)
    }

    private static var tooLarge: Text {
        .unreadable(
            "its snapshot is \(FileBytes.message(for: .fileTooLarge, limit: FileBytes.maximumDocumentBytes))")
    }
}
