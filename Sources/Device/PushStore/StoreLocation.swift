package import PushModel
package import PushRedaction

/// A store in a file that is not open yet.
package struct StoreLocation: Sendable {
    package let path: String
    private let opening: @Sendable (_ path: String, _ redaction: Redaction?) throws -> any StoreFile

    /// - Parameter opening: opens or creates the store, and checks that it hides what the redaction does.
    package init(
        path: String, opening: @escaping @Sendable (_ path: String, _ redaction: Redaction?) throws -> any StoreFile
    ) {
        self.path = path
        self.opening = opening
    }

    /// Opens the store, or creates it.
    ///
    /// - Throws: `StoreError`; `RedactionMismatch` if the store hides something else.
    package func open(hiding redaction: Redaction?) throws -> any StoreFile { try opening(path, redaction) }
}

/// Why redacted notifications cannot be written to, or exported from, a store.
package struct RedactionMismatch: Error, Equatable, CustomStringConvertible {
    /// One line that says what differs.
    package let description: String
    /// The remedy.
    package let advice: Advice

    package init(description: String, advice: Advice) {
        self.description = description
        self.advice = advice
    }
}
