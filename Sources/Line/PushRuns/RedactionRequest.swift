import PushFiles
package import PushRedaction
import PushSystem

/// The parts to redact, and the source of the key.
package struct RedactionRequest: Sendable, Equatable {
    package let parts: Redaction.Parts
    /// File of the key; nil for the variable, or else a random key.
    package let keyPath: String?

    package init(_ parts: Redaction.Parts, keyPath: String?) {
        self.parts = parts
        self.keyPath = keyPath
    }

    /// True if the key, and so each digest, differs from run to run.
    package var isKeyRandom: Bool { keyPath == nil && Environment.nonEmptyVariable(Self.variable) == nil }

    /// Reads the key. Call this only once: the file may be a pipe.
    package func redaction() throws(RunError) -> Redaction {
        do {
            return Redaction(parts, key: try key() ?? Redaction.randomKey())
        } catch {
            throw RunError("\(keyPath ?? Self.variable): \(error)")
        }
    }

    private func key() throws -> [UInt8]? {
        if let keyPath {
            return try RedactionKey.read(file: FileBytes.read(keyPath, limit: FileBytes.maximumConfigurationBytes))
        }
        return try Environment.nonEmptyVariable(Self.variable).map(RedactionKey.read(variable:))
    }

    private static let variable = "PUSHPIPE_REDACT_KEY"
}
