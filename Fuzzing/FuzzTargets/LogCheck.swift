import PushDecoding
import PushJSON

/// A record that is found in a line of a log is a part of the line, and the same after any other lines.
enum LogCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let pointers = [nil, "/payload", "/log/push", "/log", "/message", "/a/0", "/"]
            let pointer = pointers[Int(input.options.0 >> 1) % pointers.count]
            var places = [RecordLocation(pointer: pointer, skipsPrefix: input.options.0 & 1 != 0)].compactMap(\.self)
            if case .log(let found) = LogRecognition(beginning: input.text, isEnd: true, DecodingOptions()) {
                places.append(found)
            }
            let lines = input.text.split(separator: UInt8(ascii: "\n"))
            for place in places {
                var used = RecordLocator(place)
                for line in lines {
                    if let trouble = trouble(with: UnsafeRawBufferPointer(rebasing: line), place, &used) {
                        return trouble
                    }
                }
            }
            return nil
        }
    }

    private static func trouble(
        with line: UnsafeRawBufferPointer, _ place: RecordLocation, _ used: inout RecordLocator
    ) -> String? {
        var scratch = ScratchArena()
        var fresh = RecordLocator(place)
        let (first, again) = (fresh.locate(in: line, &scratch), used.locate(in: line, &scratch))
        guard text(of: first) == text(of: again) else { return "'\(readable(line))' depends on the lines before it" }
        guard case .found(let record) = first else { return nil }
        if record.text.count == 0 { return "an empty record in '\(readable(line))'" }
        guard record.start >= 0, record.start <= line.count else { return "a record outside '\(readable(line))'" }
        if record.isInPlace {
            let rest = line[record.start...]
            guard rest.count >= record.text.count, rest.prefix(record.text.count).elementsEqual(record.text.bytes)
            else {
                return "a record that is not in '\(readable(line))'"
            }
        }
        var last = 0
        for offset in 0...min(record.text.count, 300) {
            let place = record.offsetInLine(offset)
            guard place >= last, place <= line.count else {
                return "byte \(offset) of a record is at \(place) in '\(readable(line))'"
            }
            last = place
        }
        return nil
    }

    private static func text(of place: RecordLocator.Place) -> String {
        switch place {
        case .whole: "whole"
        case .nothing: "nothing"
        case .found(let record): "\(record.start) \(record.isInPlace) \(record.isFound) \(readable(record.text.buffer))"
        }
    }
}
