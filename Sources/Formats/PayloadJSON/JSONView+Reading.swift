extension BorrowedText {
    /// Passes the root of a JSON text to `body`. The view is valid only for the duration of the call.
    ///
    /// - Returns: nil if the text is not JSON.
    package func withJSON<Result>(_ body: (JSONView) throws -> Result) rethrows -> Result? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the text is borrowed for the whole call, the tape is of this text, and the view does not leave the closure.
        guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) else { return nil }
        return try body(root)
    }
}

extension [UInt8] {
    /// Passes the root of a JSON text to `body`. The view is valid only for the duration of the call.
    ///
    /// - Returns: nil if the bytes are not JSON.
    package func withJSON<Result>(_ body: (JSONView) throws -> Result) rethrows -> Result? {
        // SOUND: the bytes live until the closure returns, and the text does not leave it.
        try unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return nil }
            return try unsafe BorrowedText(start: start, count: bytes.count).withJSON(body)
        }
    }
}
