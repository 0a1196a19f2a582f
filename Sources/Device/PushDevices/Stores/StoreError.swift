package import PushModel
package import PushRedaction

/// Why a store cannot be used. Callers decide by `code`.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of errors. More may be added.
    public struct Code: Sendable, Equatable, CustomStringConvertible {
        private let name: String
        /// The name of the constant.
        public var description: String { name }

        /// There is no such file, or it cannot be opened.
        public static let cannotOpen = Code(name: "cannotOpen")
        /// The file is not an SQLite database.
        public static let notADatabase = Code(name: "notADatabase")
        /// The file is another program's database.
        public static let notAStore = Code(name: "notAStore")
        /// The store was written by another version of this package, and has another schema.
        public static let otherSchema = Code(name: "otherSchema")
        /// The store cannot be written: no permission, or a read-only file system.
        public static let readOnly = Code(name: "readOnly")
        /// The disk is full.
        public static let full = Code(name: "full")
        /// Another process is writing, and did not finish in time.
        public static let locked = Code(name: "locked")
        /// The file was moved, deleted or replaced while it was in use.
        public static let moved = Code(name: "moved")
        /// The store does not fit together with others that are to be read or merged with it.
        public static let parts = Code(name: "parts")
        /// Anything else that SQLite reports.
        public static let database = Code(name: "database")
    }

    /// The kind of error.
    public var code: Code
    /// The path of the store's file.
    public var path: String
    /// One line: what is wrong, and what to do about it.
    public var message: String
    /// The advice that a program can offer besides; nil for none.
    package var advice: Advice?
    /// SQLite's own error, if any.
    public var underlyingError: (any Error)?

    /// The path and the message on one line.
    public var description: String { "\(path): \(message)" }

    package init(code: Code, path: String, message: String, advice: Advice? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.advice = advice
        underlyingError = underlying
    }
}

/// A store in a file that is not open yet.
package struct StoreLocation: Sendable {
    package typealias Opening =
        @Sendable (
            _ path: String, _ redaction: Redaction?, _ advice: Advice.Wording
        ) throws -> any StoreFile

    package let path: String
    private let opening: Opening

    /// - Parameter opening: opens or creates the store, and checks that it hides what the redaction does.
    package init(path: String, opening: @escaping Opening) {
        self.path = path
        self.opening = opening
    }

    /// Opens the store, or creates it.
    ///
    /// - Throws: `StoreError`; `PlainError` if the store hides something else.
    package func open(hiding redaction: Redaction?, _ advice: Advice.Wording) throws -> any StoreFile {
        try opening(path, redaction, advice)
    }
}
