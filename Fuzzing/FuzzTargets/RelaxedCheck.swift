import PushJSON
import PushJSONRepair

/// Reading relaxed JSON leaves strict JSON unchanged, and is idempotent.
enum RelaxedCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            let reading = input.text.withCopy { RelaxedReading($0) }
            if isJSON(input.text), reading.text != text || !reading.changes.isEmpty { return "strict JSON was changed" }
            guard let strict = reading.text else { return reading.fault == nil ? "neither a text nor a fault" : nil }
            let lines = strict.count { $0 == UInt8(ascii: "\n") }
            if lines != text.count(where: { $0 == UInt8(ascii: "\n") }) { return "lines were added or removed" }
            guard strict.withUnsafeBytes(isJSON) else { return "the strict text is not JSON: \(readable(strict))" }
            if !strict.withUnsafeBytes({ RelaxedReading($0) }).changes.isEmpty {
                return "a second reading changes the result: \(readable(strict))"
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
