import PushJSON

/// The scanner accepts what libjansson accepts, its fast and slow paths agree, and rewritten text is equivalent.
enum ScanCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        let scans = (Scan(), Scan(), Scan())
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            let isAccepted = scans.0.read(text)
            if let trouble = scans.0.trouble { return trouble }
            // A line feed before it keeps the scanner off its fast path; blanks after it make it long enough for that path.
            let bytewise = [UInt8(ascii: "\n")] + text
            let padded = text + [UInt8](repeating: 0x20, count: 64)
            if scans.1.read(bytewise) != isAccepted { return "the bytewise scan disagrees" }
            if isAccepted || scans.0.fault?.kind != .empty, !text.isEmpty {
                if scans.2.read(padded) != isAccepted { return "the scan with trailing blanks disagrees" }
            }
            if !isAccepted {
                guard let fault = scans.0.fault, let other = scans.1.fault else { return "no fault" }
                guard fault.offset >= 0, fault.offset <= text.count else { return "a fault at \(fault.offset)" }
                if other.kind != fault.kind || other.offset != fault.offset + 1 {
                    return "\(fault), and bytewise \(other)"
                }
            } else {
                if scans.1.values != scans.0.values.map({ $0.moved(1) }) {
                    return "the bytewise scan gives other values"
                }
                if scans.2.values != scans.0.values { return "the scan with trailing blanks gives other values" }
                if scans.1.notes != scans.0.notes || scans.2.notes != scans.0.notes { return "the notes differ" }
            }
            return compareWithJansson(text, scans.0, scans.1)
        }
    }

    /// Compares the value that libjansson reads with ours. `again` is a second scanner.
    private static func compareWithJansson(_ text: [UInt8], _ scan: Scan, _ again: Scan) -> String? {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: text)
        } catch {
            return scan.fault != nil || scan.notes.contains { $0.kind != .duplicateKey }
                ? nil : "the scanner accepts, libjansson says \(error)"
        }
        if let fault = scan.fault {
            // Levels that a later member of the same name replaces are not in the value.
            return fault.kind == .tooDeep ? nil : "the scanner refuses with \(fault), libjansson accepts"
        }
        if scan.notes.contains(where: { $0.kind != .duplicateKey }) {
            return "the scanner notes \(scan.notes), libjansson accepts"
        }
        guard again.read(value.text) else { return "the value is not written as JSON: \(readable(value.text))" }
        // A value keeps the last of duplicate members, so there the texts differ.
        if scan.notes.isEmpty, again.meaning(value.text) != scan.meaning(text) {
            return "libjansson has another value: \(readable(value.text))"
        }
        let sorted = value.sortedText
        return (try? JSONValue(parsing: sorted))?.sortedText == sorted
            ? nil : "the sorted form is not stable: \(readable(sorted))"
    }

    /// A value as it stands in a text.
    struct Value: Equatable {
        var kind: JSONTape.Kind
        var offset: Int
        var count: Int
        /// Of a member, where its name stands.
        var key: Int
        var hasEscapes: Bool

        func moved(_ distance: Int) -> Value {
            var moved = self
            moved.offset += distance
            if key >= 0 { moved.key += distance }
            return moved
        }
    }

    /// A scanner with its tape, and their last result.
    final class Scan {
        private var scanner = JSONScanner()
        private var tape = JSONTape()
        private(set) var fault: JSONFault?
        private(set) var values: [Value] = []
        private(set) var notes: [JSONTape.Note] = []
        private(set) var trouble: String?

        func read(_ bytes: [UInt8]) -> Bool {
            values.removeAll(keepingCapacity: true)
            notes = []
            trouble = nil
            // A copy of exactly this length, so that a read past its end is found.
            let text = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { text.deallocate() }
            text.copyBytes(from: bytes)
            fault = scanner.scan(UnsafeRawBufferPointer(text), into: &tape)
            guard fault == nil else { return false }
            notes = tape.notes
            guard let root = tape.root(of: UnsafeRawBufferPointer(text)) else {
                trouble = "no root"
                return true
            }
            walk(root, key: -1, text.count)
            if notes.contains(where: { tape.offset(of: $0.entry) >= text.count && text.count > 2 }) {
                trouble = "a note outside the text"
            }
            return true
        }

        private func walk(_ view: JSONView, key: Int, _ limit: Int) {
            let written = view.text
            if view.offset < 0 || view.offset + written.count > limit { trouble = "a value outside the text" }
            values.append(
                Value(
                    kind: view.kind, offset: view.offset, count: written.count, key: key,
                    hasEscapes: view.string?.hasEscapes ?? false))
            let end = view.offset + written.count
            var last = view.offset
            func pass(_ inner: JSONView) {
                if inner.offset <= last || inner.offset + inner.text.count > end { trouble = "values out of order" }
                last = inner.offset + inner.text.count - 1
            }
            if view.kind == .object {
                var members = view.members
                while let (key, value) = members.next() {
                    pass(value)
                    walk(
                        value, key: Int(bitPattern: key.raw.start) - Int(bitPattern: written.start) + view.offset, limit
                    )
                }
            } else if view.kind == .array {
                var elements = view.elements
                while let element = elements.next() {
                    pass(element)
                    walk(element, key: -1, limit)
                }
            } else if let string = view.string {
                let decoded = string.decodedBytes
                if decoded.count != string.decodedCount { trouble = "two lengths of a string" }
                if decoded.count > string.count { trouble = "a string grows" }
                if String(validating: decoded, as: UTF8.self) == nil { trouble = "a string that is not UTF-8" }
            }
        }

        /// The value of the last text, independent of white space and escapes.
        func meaning(_ bytes: [UInt8]) -> [[UInt8]] {
            bytes.withUnsafeBytes { text in
                guard scanner.scan(text, into: &tape) == nil, let root = tape.root(of: text) else { return [] }
                var words: [[UInt8]] = []
                Self.collect(root, into: &words)
                return words
            }
        }

        private static func collect(_ view: JSONView, into words: inout [[UInt8]]) {
            switch view.kind {
            case .object:
                words.append([UInt8(ascii: "{")])
                var members = view.members
                while let (key, value) = members.next() {
                    words.append(key.decodedBytes)
                    collect(value, into: &words)
                }
                words.append([UInt8(ascii: "}")])
            case .array:
                words.append([UInt8(ascii: "[")])
                var elements = view.elements
                while let element = elements.next() { collect(element, into: &words) }
                words.append([UInt8(ascii: "]")])
            case .number:
                // An integer is an integer in both, or in neither; reals are compared as doubles.
                if let integer = view.int64 {
                    words.append(Array("\(integer)".utf8))
                } else {
                    words.append(Array("\(view.double?.bitPattern ?? 0) bits".utf8))
                }
            case .string: words.append([UInt8(ascii: "\"")] + (view.string?.decodedBytes ?? []))
            default: words.append(Array(view.text.buffer))
            }
        }
    }
}
