import PayloadJSON
import PushJSONSchema
package import PushModel

/// A schema of the user's, and what it is about. The configuration has them under `schemas`.
package struct PayloadContract: Sendable {
    let schema: Schema
    let scope: SchemaScope

    /// - Parameters:
    ///   - path: of the schema.
    ///   - files: reads the schema.
    package init(
        _ path: String, from files: SchemaFiles, for scope: SchemaScope = SchemaScope()
    ) throws(ConfigurationError) {
        schema = try files.schema(path)
        self.scope = scope
    }
}

/// Which pushes a schema is about, and which part of their payload.
package struct SchemaScope: Sendable {
    /// Topics, with `*` and `?`; nil for all pushes. Messages for Google's services have none.
    private let topic: TopicPattern?
    /// An `apns-push-type`; nil for all pushes.
    private let pushType: PushType?
    /// The reference tokens of a JSON Pointer (RFC 6901).
    let pointer: [String]

    package init(topic: String? = nil, pushType: PushType? = nil, pointer: [String] = []) {
        self.topic = topic.map { TopicPattern($0) }
        self.pushType = pushType
        self.pointer = pointer
    }

    /// True if it includes a push with these headers.
    func applies(topic name: () -> String?, pushType type: () -> PushType?) -> Bool {
        if let pushType, type() != pushType { return false }
        guard let topic else { return true }
        guard let name = name() else { return false }
        return topic.matches(Array(name.utf8))
    }
}

/// A pattern of topics: `*` stands for any text, `?` for one byte.
struct TopicPattern: Sendable {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// O(text × pattern).
    func matches(_ text: [UInt8]) -> Bool {
        var position = 0
        var index = 0
        /// After the last star, and where in the text it ends as tried.
        var retry: (position: Int, index: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, index)
            } else if position < pattern.count,
                pattern[position] == UInt8(ascii: "?") || pattern[position] == text[index]
            {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                position = last.position
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// Reads the parts of payloads that are in a scope.
protocol PayloadReader: AnyObject {
    var scope: SchemaScope { get }
    /// The schema that its failures refer to.
    var schema: Schema? { get }
    /// Reads a part, and returns what the schema does not permit about it.
    func read(_ part: JSONView) -> [SchemaFailure]
}

/// Checks parts against a contract, with the memory that one linter needs.
final class ContractCheck: PayloadReader {
    let scope: SchemaScope
    var schema: Schema? { validator.schema }
    private var validator: SchemaValidator

    init(_ contract: PayloadContract) {
        scope = contract.scope
        validator = SchemaValidator(contract.schema)
    }

    func read(_ part: JSONView) -> [SchemaFailure] { validator.validate(part) }
}
