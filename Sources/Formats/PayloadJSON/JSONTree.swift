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

extension JSONTree {
    /// The version of jansson that this build was compiled with, such as `2.14`.
    package static var libraryVersion: String { JANSSON_VERSION }
}

extension JSONTree {
    /// Creates a string.
    public init(_ string: String) throws(Failure) {
        // SOUND: the bytes live until `withUTF8` returns, and jansson copies them. It reads none when the count is 0.
        var string = string
        let value = string.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) {
                unsafe json_stringn($0.baseAddress ?? UnsafePointer(bitPattern: 1), $0.count)
            }
        }
        unsafe self.init(owning: try Self.made(value))
    }

    /// Creates an integer.
    public init(_ integer: Int64) throws(Failure) {
        // SOUND: `json_integer` returns a new reference, which the tree takes over.
        unsafe self.init(owning: try Self.made(json_integer(json_int_t(integer))))
    }

    /// Creates a boolean.
    public init(_ flag: Bool) throws(Failure) {
        // SOUND: `pushpipe_json_boolean` returns a new reference, which the tree takes over.
        unsafe self.init(owning: try Self.made(pushpipe_json_boolean(flag ? 1 : 0)))
    }

    /// Creates an object without members.
    public static func object() throws(Failure) -> JSONTree {
        // SOUND: `json_object` returns a new reference, which the tree takes over.
        unsafe JSONTree(owning: try made(json_object()))
    }

    private static func made(_ value: @autoclosure () -> OpaqueJSON?) throws(Failure) -> OpaqueJSON {
        // SOUND: passes the reference on without using it.
        _ = seeded
        guard let value = unsafe value() else { throw Failure(kind: .outOfMemory, message: "out of memory", offset: 0) }
        return unsafe value
    }

    /// True if there is a value at a JSON Pointer.
    public func has(_ pointer: String) -> Bool {
        // SOUND: the borrowed reference is only compared with nil.
        unsafe (try? locate(pointer)) != nil
    }

    /// The string at a JSON Pointer; nil if the value is missing or of another type.
    public func string(at pointer: String) -> String? {
        // SOUND: the borrowed reference and its text live until the tree changes; the text is copied here.
        guard let found = try? unsafe locate(pointer), unsafe pushpipe_json_type(found) == JSON_STRING,
            let chars = unsafe json_string_value(found)
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: chars, count: json_string_length(found))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The integer at a JSON Pointer; nil if the value is missing or of another type.
    public func integer(at pointer: String) -> Int64? {
        // SOUND: the borrowed reference lives until the tree changes.
        guard let found = try? unsafe locate(pointer), unsafe pushpipe_json_type(found) == JSON_INTEGER else {
            return nil
        }
        return unsafe Int64(json_integer_value(found))
    }

    /// Sets the value at a JSON Pointer: adds or overwrites an object's member, overwrites an array's element.
    ///
    /// Everything above the last token must exist.
    public mutating func set(_ new: consuming JSONTree, at pointer: String) throws(Failure) {
        // SOUND: the borrowed parent lives until the tree changes. jansson takes a reference of its own to the new
        // value.
        let (parent, name) = unsafe try parent(of: pointer)
        let failed: Int32
        switch unsafe pushpipe_json_type(parent) {
        case JSON_OBJECT: failed = unsafe json_object_set_nocheck(parent, try Self.key(name, pointer), new.value)
        case JSON_ARRAY: failed = JSONPointer.position(name).map { unsafe json_array_set(parent, $0, new.value) } ?? -1
        default: failed = -1
        }
        guard failed == 0 else { throw Self.nowhere(pointer) }
    }

    /// Removes the member or element at a JSON Pointer.
    public mutating func remove(at pointer: String) throws(Failure) {
        // SOUND: the borrowed parent lives until the tree changes.
        let (parent, name) = unsafe try parent(of: pointer)
        let failed: Int32
        switch unsafe pushpipe_json_type(parent) {
        case JSON_OBJECT: failed = unsafe json_object_del(parent, try Self.key(name, pointer))
        case JSON_ARRAY: failed = JSONPointer.position(name).map { unsafe json_array_remove(parent, $0) } ?? -1
        default: failed = -1
        }
        guard failed == 0 else { throw Self.nowhere(pointer) }
    }

    /// A borrowed reference, valid until this tree changes.
    private func locate(_ pointer: String) throws(Failure) -> OpaqueJSON {
        // SOUND: returns a borrowed reference, which its callers use before the tree changes.
        guard let tokens = JSONPointer.tokens(pointer) else { throw Self.nowhere(pointer) }
        return try unsafe locate(tokens[...], pointer)
    }

    private func locate(_ tokens: ArraySlice<String>, _ pointer: String) throws(Failure) -> OpaqueJSON {
        // SOUND: every reference is borrowed from its container, which this tree keeps alive.
        var place = unsafe value
        for token in tokens {
            let next: OpaqueJSON?
            switch unsafe pushpipe_json_type(place) {
            case JSON_OBJECT: unsafe next = json_object_get(place, try Self.key(token, pointer))
            case JSON_ARRAY: unsafe next = JSONPointer.position(token).flatMap { unsafe json_array_get(place, $0) }
            default: unsafe next = nil
            }
            guard let next = unsafe next else { throw Self.nowhere(pointer) }
            unsafe place = next
        }
        return unsafe place
    }

    private func parent(of pointer: String) throws(Failure) -> (parent: OpaqueJSON, name: String) {
        // SOUND: returns a borrowed reference, which its callers use before the tree changes.
        guard let tokens = JSONPointer.tokens(pointer), let name = tokens.last else { throw Self.nowhere(pointer) }
        return unsafe (try locate(tokens.dropLast(), pointer), name)
    }

    /// A member name for jansson, which expects names as C strings.
    private static func key(_ name: String, _ pointer: String) throws(Failure) -> String {
        guard !name.utf8.contains(0) else { throw nowhere(pointer) }
        return name
    }

    private static func nowhere(_ pointer: String) -> Failure {
        Failure(kind: .noSuchPlace, message: "no place for a value at '\(pointer)'", offset: 0)
    }
}

extension JSONTree {
    /// `text` with the bytes of `view`, a value inside it, replaced by this tree's compact form. All other bytes stay.
    package func spliced(over view: JSONView, in text: UnsafeRawBufferPointer) throws(Failure) -> [UInt8] {
        // SOUND: both offsets are limited to `text.count`.
        let replacement = try serialized(.compact)
        let from = min(view.offset, text.count)
        let to = min(from + view.text.count, text.count)
        return unsafe Array(text[..<from]) + replacement + Array(text[to...])
    }
}
