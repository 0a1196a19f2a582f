import CJansson

/// An owned JSON value on libjansson, for stages that edit a payload and for writing JSON in a chosen form.
///
/// A tree allocates for each value. It accepts and rejects the same texts as the pipeline (RFC 8259, at most 512 levels), except that it
/// rejects what jansson cannot represent as `unrepresentable`: integers beyond 64 bits, reals beyond a double, lone surrogate escapes, NUL
/// in a member name. Of duplicate keys the last one is kept.
@safe  // SOUND: owns exactly one reference to `value`, and releases it in `deinit`.
public struct JSONTree: ~Copyable {
    /// An owned reference, never null: an allocation failure in jansson throws when the value is created.
    let value: OpaqueJSON

    typealias OpaqueJSON = UnsafeMutablePointer<json_t>

    /// Why a tree could not be created or edited.
    public struct Failure: Error, Equatable, Sendable {
        /// The kinds of failure.
        public enum Kind: Sendable, Equatable {
            /// Not JSON.
            case syntax
            /// More than 512 levels.
            case tooDeep
            /// JSON that jansson cannot represent.
            case unrepresentable
            /// An edit names a place that does not exist, or that the value does not fit.
            case noSuchPlace
            /// There is no memory for the value.
            case outOfMemory
        }

        /// The kind of failure.
        public var kind: Kind
        /// jansson's message, or ours where jansson has none.
        public var message: String
        /// The number of bytes read when the parser stopped, which may be after the invalid token.
        public var offset: Int

        /// Creates a failure.
        package init(kind: Kind, message: String, offset: Int) {
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
        /// Indented by two spaces per level.
        case pretty
        /// Indented by two spaces per level, members sorted by name: for files that people read and compare.
        case sorted
    }

    init(owning value: OpaqueJSON) {
        // SOUND: the caller passes a new reference, and does not release it.
        unsafe self.value = value
    }

    deinit {
        // SOUND: this is the only reference that the tree owns.
        unsafe pushpipe_json_release(value)
    }

    /// jansson's hash tables are seeded once, before the first table is created, as its manual asks of programs with
    /// threads.
    static let seeded: Void = json_object_seed(0)

    /// Parses a text. The outermost value can be of any kind. O(length), like all reading and writing of trees.
    public init(parsing text: String) throws(Failure) { try self.init(parsing: text.utf8) }

    /// Parses a text in UTF-8. The outermost value can be of any kind.
    public init(parsing bytes: some Collection<UInt8>) throws(Failure) {
        // SOUND: the bytes live until the closure returns, and the tree keeps none of them.
        unsafe self.init(
            owning: try Array(bytes).withUnsafeBufferPointer { (text) throws(Failure) in
                try unsafe Self.parsed(UnsafeRawBufferPointer(text))
            })
    }

    /// Parses a text in place.
    package init(parsing text: UnsafeRawBufferPointer) throws(Failure) {
        // SOUND: the tree takes the new reference over.
        unsafe self.init(owning: try Self.parsed(text))
    }

    private static func parsed(_ text: UnsafeRawBufferPointer) throws(Failure) -> OpaqueJSON {
        // SOUND: jansson reads exactly `text.count` bytes, and returns a new reference.
        _ = seeded
        // jansson ignores a NUL byte right after a number or a literal, which RFC 8259 does not allow; and it does not
        // accept a null pointer.
        if let position = unsafe text.firstIndex(of: 0) ?? (text.isEmpty ? 0 : nil) {
            throw unsafe Failure(
                kind: .syntax, message: text.isEmpty ? "the text is empty" : "NUL byte", offset: position)
        }
        // Checked on the text and not on the tree: a value that a duplicate key replaces counts too.
        guard unsafe depth(of: text, isAtMost: JSONScanner.maximumDepth) else {
            throw Failure(kind: .tooDeep, message: "more than \(JSONScanner.maximumDepth) levels", offset: 0)
        }
        var error = json_error_t()
        let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
        let bytes = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let value = unsafe json_loadb(bytes, text.count, flags, &error) else {
            throw unsafe failure(&error, in: text)
        }
        return unsafe value
    }

    /// Parses the text of a value that has been scanned.
    package init(_ view: JSONView) throws(Failure) {
        // SOUND: the caller keeps the view's text alive.
        unsafe try self.init(parsing: view.text.bytes)
    }

    private static func failure(_ error: inout json_error_t, in text: UnsafeRawBufferPointer) -> Failure {
        // SOUND: jansson has filled in the error, whose text ends with NUL and lives as long as it does.
        let message = unsafe String(cString: pushpipe_json_error_text(&error))
        let kind: Failure.Kind
        switch unsafe pushpipe_json_error_code(&error) {
        case json_error_numeric_overflow, json_error_null_byte_in_key: kind = .unrepresentable
        case json_error_stack_overflow: kind = .tooDeep
        case json_error_out_of_memory: kind = .outOfMemory
        // jansson has no error code for a lone surrogate, so its message has to serve.
        case json_error_invalid_syntax where message.hasPrefix("invalid Unicode"): kind = .unrepresentable
        default: kind = .syntax
        }
        return Failure(kind: kind, message: message, offset: min(max(Int(error.position), 0), text.count))
    }

    /// Counts brackets outside strings. Correct for JSON; other texts are rejected anyway.
    private static func depth(of text: UnsafeRawBufferPointer, isAtMost limit: Int) -> Bool {
        // SOUND: the index is compared with `text.count` before each read.
        var depth = 0
        var index = 0
        while index < text.count {
            switch unsafe text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > limit { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
            case UInt8(ascii: "\""):
                index += 1
                while index < text.count, unsafe text[index] != UInt8(ascii: "\"") {
                    unsafe index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            index += 1
        }
        return true
    }

    /// The value as JSON text in UTF-8.
    public func serialized(_ form: Form = .compact) throws(Failure) -> [UInt8] {
        // SOUND: jansson writes at most as many bytes as the buffer has, and returns how many the text needs.
        var flags = Int(JSON_ENCODE_ANY)
        switch form {
        case .compact: flags |= Int(JSON_COMPACT)
        case .canonical: flags |= Int(JSON_COMPACT) | Int(JSON_SORT_KEYS)
        case .pretty: flags |= Int(pushpipe_json_indent(2))
        case .sorted: flags |= Int(pushpipe_json_indent(2)) | Int(JSON_SORT_KEYS)
        }
        // The first call only measures: without a buffer jansson returns the length that it would write.
        let length = unsafe json_dumpb(value, nil, 0, flags)
        guard length > 0 else {
            throw Failure(kind: .outOfMemory, message: "cannot write the value", offset: 0)
        }
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            initialized = unsafe buffer.withMemoryRebound(to: CChar.self) { chars in
                unsafe min(json_dumpb(value, chars.baseAddress, chars.count, flags), chars.count)
            }
        }
    }
}
