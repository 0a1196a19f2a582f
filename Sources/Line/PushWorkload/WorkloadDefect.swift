/// The ways to break a record on purpose. None of them puts a newline into the record.
public enum WorkloadDefect: Int, Sendable, CaseIterable {
    /// The beginning of a record. Never the first of a workload: a reader that detects the framing from the first line
    /// would take it for the start of a pretty-printed document.
    case truncated
    /// `…,}`
    case trailingComma
    /// Single quotes instead of double quotes.
    case singleQuotes
    /// A byte in a string that is not valid UTF-8 there.
    case invalidUTF8
    /// An unescaped control character in a string.
    case controlCharacter
    /// A line with only `}`.
    case closingBrace
    /// JSON, but an array that contains a record.
    case topLevelArray
    /// `{}`
    case emptyObject
    /// A JSON object that is not a push request.
    case unknownShape
    /// An APNs envelope whose `payload` is a string that is not JSON.
    case payloadText
    /// A number with a leading zero, which is invalid in JSON.
    case leadingZero
}

extension WorkloadGenerator {
    mutating func appendMalformed(to buffer: inout [UInt8]) {
        var defect = WorkloadDefect.allCases[random.below(WorkloadDefect.allCases.count)]
        if produced == 0, defect == .truncated { defect = .trailingComma }
        switch defect {
        case .closingBrace:
            buffer.write("}")
        case .emptyObject:
            buffer.write("{}")
        case .unknownShape:
            buffer.write(#"{"event":"heartbeat","sequence":"#)
            buffer.write(number: random.below(1_000_000))
            buffer.write("}")
        case .payloadText:
            buffer.write(#"{"device":"#)
            Population.writeToken(drawDevice(population.apns), to: &buffer)
            buffer.write(#","headers":{"apns-topic":""#)
            buffer.append(contentsOf: vocabulary.apps[random.below(vocabulary.apps.count)].raw)
            buffer.write(#""},"payload":""#)
            writeBody(0, Voice(script: 0, escapes: false, marks: false), to: &buffer)
            buffer.write(#""}"#)
        case .truncated, .trailingComma, .singleQuotes, .invalidUTF8, .controlCharacter, .topLevelArray, .leadingZero:
            let start = buffer.count
            appendWellFormed(RecordPlan(isDamaged: true), to: &buffer)
            damage(&buffer, from: start, by: defect)
        }
    }

    /// Breaks the well-formed record that begins at `start`. Every record ends with `}` and has a quotation mark, the
    /// last of which ends a string.
    private mutating func damage(_ buffer: inout [UInt8], from start: Int, by defect: WorkloadDefect) {
        let last = buffer.count - 1
        let stringEnd = buffer[start...].lastIndex(of: UInt8(ascii: "\"")) ?? last
        switch defect {
        case .truncated:
            buffer.removeLast(1 + random.below(last - start))
        case .trailingComma:
            buffer.insert(UInt8(ascii: ","), at: last)
        case .singleQuotes:
            for index in start...last where buffer[index] == UInt8(ascii: "\"") { buffer[index] = UInt8(ascii: "'") }
        case .invalidUTF8:
            // An invalid byte, a lone continuation byte, the lead byte of an overlong form, a lead byte without
            // continuation.
            buffer.insert([0xff, 0x80, 0xc0, 0xe2][random.below(4)], at: stringEnd)
        case .controlCharacter:
            // Except NUL and 0x1E, which separate records in other framings, and line breaks.
            buffer.insert([0x01, 0x08, 0x09, 0x0b, 0x0c, 0x1b, 0x1f][random.below(7)], at: stringEnd)
        case .topLevelArray:
            buffer.insert(UInt8(ascii: "["), at: start)
            buffer.append(UInt8(ascii: "]"))
        case .leadingZero:
            buffer.removeLast()
            buffer.write(#","count":01}"#)
        case .closingBrace, .emptyObject, .unknownShape, .payloadText:
            break
        }
    }
}
