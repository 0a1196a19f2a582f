import CJansson

/// An owned JSON value on libjansson: for stages that edit a payload, and for writing JSON in a chosen form.
///
/// Reading many records is the scanner's work; a tree allocates for each value. It accepts and refuses the same texts as
/// `JSONScanner`, but for what jansson cannot hold, which is refused as `unrepresentable`: integers beyond 64 bits, reals
/// beyond a double, lone surrogate escapes, NUL in a member name. Of duplicate keys the last one is kept.
public struct JSONTree: ~Copyable {
    /// An owned reference. Never nil in use; a value that jansson could not allocate is refused where it is made.
    let value: OpaqueJSON

    typealias OpaqueJSON = UnsafeMutablePointer<json_t>

    /// Why there is no tree.
    public struct Failure: Error, Equatable, Sendable {
        /// The kinds of failure.
        public enum Kind: Sendable, Equatable {
            /// Not JSON.
            case syntax
            /// More than `JSONScanner.maximumDepth` levels.
            case tooDeep
            /// JSON that jansson cannot hold.
            case unrepresentable
            /// The place that an edit names does not exist, or the value does not fit it.
            case noSuchPlace
            case outOfMemory
        }

        /// The kind of failure.
        public var kind: Kind
        /// jansson's own words, or ours where it has none.
        public var message: String
        /// Bytes read when the parser stopped; it may stand after the token at fault.
        public var offset: Int

        /// Makes a failure.
        public init(kind: Kind, message: String, offset: Int) {
            self.kind = kind
            self.message = message
            self.offset = offset
        }
    }

    /// How a tree is written.
    public enum Form: Sendable {
        /// No white space, members in the order of the text.
        case compact
        /// No white space, members sorted by name: equal values give equal bytes.
        case canonical
        /// Two spaces a level.
        case pretty
        /// Two spaces a level, members sorted by name: for files that people read and compare.
        case sorted
    }

    /// Takes over an owned reference.
    init(owning value: OpaqueJSON) { self.value = value }

    deinit { pushpipe_json_release(value) }

    /// jansson's hash tables are seeded once, before the first table is made, as its manual asks of programs with threads.
    static let seeded: Void = json_object_seed(0)

    /// Parses a text. Any value may stand at the top.
    public init(parsing text: UnsafeRawBufferPointer) throws(Failure) {
        _ = Self.seeded
        // jansson passes over a NUL byte right behind a number or a literal, which RFC 8259 does not; and it takes no null pointer.
        if let position = text.firstIndex(of: 0) ?? (text.isEmpty ? 0 : nil) {
            throw Failure(kind: .syntax, message: text.isEmpty ? "the text is empty" : "NUL byte", offset: position)
        }
        // On the text and not on the tree: a duplicate key's value that is replaced counts as well.
        guard Self.depth(of: text, isAtMost: JSONScanner.maximumDepth) else {
            throw Failure(kind: .tooDeep, message: "more than \(JSONScanner.maximumDepth) levels", offset: 0)
        }
        var error = json_error_t()
        let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
        let bytes = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let value = json_loadb(bytes, text.count, flags, &error) else {
            throw Self.failure(&error, in: text)
        }
        self.value = value
    }

    /// Parses the text of a value that was scanned before.
    public init(_ view: JSONView) throws(Failure) {
        try self.init(parsing: view.text.bytes)
    }

    private static func failure(_ error: inout json_error_t, in text: UnsafeRawBufferPointer) -> Failure {
        let message = String(cString: pushpipe_json_error_text(&error))
        let kind: Failure.Kind
        switch pushpipe_json_error_code(&error) {
        case json_error_numeric_overflow, json_error_null_byte_in_key: kind = .unrepresentable
        case json_error_stack_overflow: kind = .tooDeep
        case json_error_out_of_memory: kind = .outOfMemory
        // jansson has no code of its own for a lone surrogate, so its text has to tell.
        case json_error_invalid_syntax where message.hasPrefix("invalid Unicode"): kind = .unrepresentable
        default: kind = .syntax
        }
        return Failure(kind: kind, message: message, offset: min(max(Int(error.position), 0), text.count))
    }

    /// Brackets outside strings; right for JSON, and what is not JSON is refused anyway.
    private static func depth(of text: UnsafeRawBufferPointer, isAtMost limit: Int) -> Bool {
        var depth = 0
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > limit { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
            case UInt8(ascii: "\""):
                index += 1
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            index += 1
        }
        return true
    }

    /// The value as JSON text in UTF-8.
    public func serialized(_ form: Form = .compact) throws(Failure) -> [UInt8] {
        var flags = Int(JSON_ENCODE_ANY)
        switch form {
        case .compact: flags |= Int(JSON_COMPACT)
        case .canonical: flags |= Int(JSON_COMPACT) | Int(JSON_SORT_KEYS)
        case .pretty: flags |= Int(pushpipe_json_indent(2))
        case .sorted: flags |= Int(pushpipe_json_indent(2)) | Int(JSON_SORT_KEYS)
        }
        // The first call measures: with no buffer jansson returns the length that it would write.
        let length = json_dumpb(value, nil, 0, flags)
        guard length > 0 else {
            throw Failure(kind: .outOfMemory, message: "cannot write the value", offset: 0)
        }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            initialized = buffer.withMemoryRebound(to: CChar.self) { chars in
                min(json_dumpb(value, chars.baseAddress, chars.count, flags), chars.count)
            }
        }
    }
}
