import CJansson

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

    /// The string at a JSON Pointer; nil when there is no value, or a value of another kind.
    public func string(at pointer: String) -> String? {
        // SOUND: the borrowed reference and its text live until the tree changes; the text is copied here.
        guard let found = try? unsafe locate(pointer), unsafe pushpipe_json_type(found) == JSON_STRING,
            let chars = unsafe json_string_value(found)
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: chars, count: json_string_length(found))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The integer at a JSON Pointer; nil when there is no value, or a value of another kind.
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
