import PayloadJSON
import PushFiles
import PushLint
import PushModel
import PushSystem
import PushText

extension LintJob {
    /// Fixes all files, each as a whole, because its records might be told apart differently afterwards, and reports what is left.
    func fix(_ inputs: LintInputs, to streams: some LintStreams) throws -> Outcome {
        // Differences and fixed text take the results, so findings become notes.
        let reportsInNotes = fixing == .show || writesResults
        let appearance = reportsInNotes ? notes : results
        var report = LintReport(
            format, isStrict: isStrict, style: appearance.style, width: appearance.width, folds: folds,
            advice: advice)
        func write(_ body: (inout ByteBuffer) -> Void) throws {
            // SOUND: copies what the buffer holds.
            guard reportsInNotes else { return try streams.append(body) }
            var buffer = ByteBuffer()
            body(&buffer)
            unsafe streams.note(String(decoding: buffer.bytes, as: UTF8.self))
        }
        var summary = LintSummary(fixing: fixing, advice: advice)
        summary.excluded = inputs.excluded
        var reading = Reading(unreadable: inputs.unreadable)
        for input in inputs.found {
            let file: FixedInput
            do throws(UnfixableInput) {
                guard let read = try fix(input, streams) else {
                    reading.others += 1
                    noteOther(input, streams)
                    continue
                }
                file = read
            } catch {
                reading.unreadable.append(note(error.reason, about: input, streams))
                continue
            }
            if file.before.contains(where: { !JSONScanner.isWhitespace($0) }) { reading.records += 1 }
            summary.add(file.remaining, fixed: file.fixed)
            try append(file, named: input.name, to: streams)
            let linted = LintedFile(name: input.name, bytes: file.after, diagnostics: file.remaining.diagnostics)
            try write { report.add(linted, to: &$0) }
            for file in unused(file.remaining.used, of: input, &summary) { try write { report.add(file, to: &$0) } }
            try streams.flush()
        }
        try report.form.finish(unreadable: reading.unreadable) { try write($0) }
        try streams.flush()
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        summary.others = reading.others
        summary.folded = report.form.folded
        summary.namesExplain = format == .text && !appearance.style.hasLinks
        if !isQuiet, !isEmpty { streams.note(summary.text) }
        return Outcome(
            isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: summary.count(.error),
            warnings: summary.count(.warning))
    }

    /// True if fixed text goes to the results.
    private var writesResults: Bool { fixing == .write && paths == [nil] }

    /// A text before and after fixing.
    private struct FixedInput {
        var before: [UInt8]
        var after: [UInt8]
        var fixed: Int
        var remaining: LintResult
    }

    /// Why an input could not be read or replaced.
    private struct UnfixableInput: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }

        init(_ error: SystemError) { reason = FileBytes.message(for: error, limit: FileBytes.maximumBytes) }
    }

    /// Nil for a file that does not contain payloads.
    private func fix(_ input: LintInput, _ streams: some LintStreams) throws(UnfixableInput) -> FixedInput? {
        let bytes = try read(input, streams)
        if input.isOther(bytes[...]) { return nil }
        var linter = input.profile.makeWorker()
        linter.suppressions = input.suppressions
        let result = linter.fix(bytes)
        if fixing == .write, let path = input.path, result.bytes != bytes {
            do throws(SystemError) { try FileBytes.replace(path, with: result.bytes) } catch {
                throw UnfixableInput(error)
            }
        }
        return FixedInput(before: bytes, after: result.bytes, fixed: result.fixed, remaining: result.remaining)
    }

    private func read(_ input: LintInput, _ streams: some LintStreams) throws(UnfixableInput) -> [UInt8] {
        // Checked first: opening a pipe waits for its other end.
        if fixing == .write, let path = input.path, let status = try? FileStatus(path), status.kind != .regular {
            throw UnfixableInput("not a regular file, so it cannot be replaced")
        }
        do throws(SystemError) {
            guard let path = input.path else { return try readInput(streams) }
            return try FileBytes.read(path, limit: FileBytes.maximumBytes)
        } catch {
            throw UnfixableInput(error)
        }
    }

    private func readInput(_ streams: some LintStreams) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            do throws(SystemError) {
                let count = try streams.readInput(into: &piece, atMost: piece.count)
                if count == 0 { return bytes }
                bytes += piece[..<count]
                if bytes.count > FileBytes.maximumBytes { throw SystemError.fileTooLarge }
            } catch {
                if error == .wouldBlock { FileDescriptor.standardInput.waitUntilReadable() }
                guard error == .wouldBlock || error == .interrupted else { throw error }
            }
        }
    }

    /// Appends what takes the results in place of findings.
    private func append(_ file: FixedInput, named name: String, to streams: some LintStreams) throws {
        if fixing == .show, file.after != file.before {
            let diff = UnifiedDiff(from: file.before, to: file.after)
            try streams.append { diff.append(name: name, isForTerminal: results.isTerminal, to: &$0) }
        }
        if writesResults { try streams.append { for byte in file.after { $0.append(byte) } } }
    }
}
