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
    mutating func writeMalformed() {
        var defect = WorkloadDefect.allCases[random.below(WorkloadDefect.allCases.count)]
        if produced == 0, defect == .truncated { defect = .trailingComma }
        switch defect {
        case .closingBrace: write("}")
        case .emptyObject: write("{}")
        case .unknownShape: write(#"{"event":"heartbeat","sequence":\#(random.below(1_000_000))}"#)
        case .payloadText:
            write(#"{"device":\#(Population.token(drawDevice(population.apns))),"headers":{"apns-topic":""#)
            let voice = Voice(script: 0, escapes: false, marks: false)
            write(#"\#(pick(vocabulary.apps))"},"payload":"\#(body(0, voice))"}"#)
        case .truncated, .trailingComma, .singleQuotes, .invalidUTF8, .controlCharacter, .topLevelArray, .leadingZero:
            let start = output.count
            writeWellFormed(RecordPlan(isDamaged: true))
            damage(from: start, by: defect)
        }
    }

    /// Breaks the well-formed record that begins at `start`. Every record ends with `}` and has a quotation mark, the
    /// last of which ends a string.
    private mutating func damage(from start: Int, by defect: WorkloadDefect) {
        let last = output.count - 1
        let stringEnd = output[start...].lastIndex(of: UInt8(ascii: "\"")) ?? last
        switch defect {
        case .truncated:
            output.removeLast(1 + random.below(last - start))
        case .trailingComma:
            output.insert(UInt8(ascii: ","), at: last)
        case .singleQuotes:
            for index in start...last where output[index] == UInt8(ascii: "\"") { output[index] = UInt8(ascii: "'") }
        case .invalidUTF8:
            // An invalid byte, a lone continuation byte, the lead byte of an overlong form, a lead byte without
            // continuation.
            output.insert([0xff, 0x80, 0xc0, 0xe2][random.below(4)], at: stringEnd)
        case .controlCharacter:
            // Except NUL and 0x1E, which separate records in other framings, and line breaks.
            output.insert([0x01, 0x08, 0x09, 0x0b, 0x0c, 0x1b, 0x1f][random.below(7)], at: stringEnd)
        case .topLevelArray:
            output.insert(UInt8(ascii: "["), at: start)
            output.append(UInt8(ascii: "]"))
        case .leadingZero:
            output.removeLast()
            write(#","count":01}"#)
        case .closingBrace, .emptyObject, .unknownShape, .payloadText:
            break
        }
    }
}
