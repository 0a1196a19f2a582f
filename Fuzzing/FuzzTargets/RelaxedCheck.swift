import PayloadJSON
import PushDecoding
import PushModel

/// Reading relaxed JSON leaves strict JSON alone, and is done after one time.
enum RelaxedCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            let strict = input.text.withCopy { RelaxedJSON.strict($0) }
            guard let strict else { return nil }
            if isJSON(input.text) { return "strict JSON was changed to \(readable(strict.text))" }
            let lines = strict.text.count { $0 == UInt8(ascii: "\n") }
            // An escape in single quotes may hide a line feed's backslash, never the line feed.
            if lines != text.count(where: { $0 == UInt8(ascii: "\n") }) { return "lines were added or removed" }
            guard strict.text.withUnsafeBytes(isJSON) else { return nil }
            if let again = strict.text.withUnsafeBytes({ RelaxedJSON.strict($0) }) {
                return "its result is changed once more: \(readable(again.text))"
            }
            return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Hands out a copy of just this length, so that what reads past it is found.
    func withCopy<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyMemory(from: self)
        return try body(UnsafeRawBufferPointer(copy))
    }
}
