import PayloadJSON
import PushDecoding
import PushModel

/// Converting relaxed JSON leaves strict JSON unchanged, and is idempotent.
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
                return "a second conversion changes the result: \(readable(again.text))"
            }
            return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Passes a copy of exactly this length, so that a read past its end is found.
    func withCopy<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyMemory(from: self)
        return try body(UnsafeRawBufferPointer(copy))
    }
}
