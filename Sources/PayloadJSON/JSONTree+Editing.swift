import CJansson

extension JSONTree {
    /// Creates a string.
    public init(_ string: String) throws(Failure) {
        var string = string
        let value = string.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                json_stringn($0.baseAddress ?? UnsafePointer(bitPattern: 1), $0.count)
            }
        }
        self.init(owning: try Self.made(value))
    }

    /// Creates an integer.
    public init(_ integer: Int64) throws(Failure) {
        self.init(owning: try Self.made(json_integer(json_int_t(integer))))
    }

    /// Creates a boolean.
    public init(_ flag: Bool) throws(Failure) {
        self.init(owning: try Self.made(pushpipe_json_boolean(flag ? 1 : 0)))
    }

    /// Creates an object without members.
    public static func object() throws(Failure) -> JSONTree {
        JSONTree(owning: try made(json_object()))
    }

    private static func made(_ value: @autoclosure () -> OpaqueJSON?) throws(Failure) -> OpaqueJSON {
        _ = seeded
        let value = value()
        guard let value else { throw Failure(kind: .outOfMemory, message: "out of memory", offset: 0) }
        return value
    }

    /// Whether there is a value at a JSON Pointer.
    public func has(_ pointer: String) -> Bool { (try? locate(pointer)) != nil }

    /// The string at a JSON Pointer; nil when there is no value, or a value of another kind.
    public func string(at pointer: String) -> String? {
        guard let found = try? locate(pointer), pushpipe_json_type(found) == JSON_STRING,
            let chars = json_string_value(found)
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: chars, count: json_string_length(found))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The integer at a JSON Pointer; nil when there is no value, or a value of another kind.
    public func integer(at pointer: String) -> Int64? {
        guard let found = try? locate(pointer), pushpipe_json_type(found) == JSON_INTEGER else { return nil }
        return Int64(json_integer_value(found))
    }

    /// Sets the value at a JSON Pointer: adds or overwrites an object's member, overwrites an array's element.
    ///
    /// Everything above the last token must exist.
    public mutating func set(_ new: consuming JSONTree, at pointer: String) throws(Failure) {
        let (parent, name) = try parent(of: pointer)
        let failed: Int32
        switch pushpipe_json_type(parent) {
        case JSON_OBJECT: failed = json_object_set_nocheck(parent, try Self.key(name, pointer), new.value)
        case JSON_ARRAY: failed = JSONPointer.position(name).map { json_array_set(parent, $0, new.value) } ?? -1
        default: failed = -1
        }
        guard failed == 0 else { throw Self.nowhere(pointer) }
    }

    /// Removes the member or element at a JSON Pointer.
    public mutating func remove(at pointer: String) throws(Failure) {
        let (parent, name) = try parent(of: pointer)
        let failed: Int32
        switch pushpipe_json_type(parent) {
        case JSON_OBJECT: failed = json_object_del(parent, try Self.key(name, pointer))
        case JSON_ARRAY: failed = JSONPointer.position(name).map { json_array_remove(parent, $0) } ?? -1
        default: failed = -1
        }
        guard failed == 0 else { throw Self.nowhere(pointer) }
    }

    /// A borrowed reference, valid until this tree changes.
    private func locate(_ pointer: String) throws(Failure) -> OpaqueJSON {
        guard let tokens = JSONPointer.tokens(pointer) else { throw Self.nowhere(pointer) }
        return try locate(tokens[...], pointer)
    }

    private func locate(_ tokens: ArraySlice<String>, _ pointer: String) throws(Failure) -> OpaqueJSON {
        var place = value
        for token in tokens {
            let next: OpaqueJSON?
            switch pushpipe_json_type(place) {
            case JSON_OBJECT: next = json_object_get(place, try Self.key(token, pointer))
            case JSON_ARRAY: next = JSONPointer.position(token).flatMap { json_array_get(place, $0) }
            default: next = nil
            }
            guard let next else { throw Self.nowhere(pointer) }
            place = next
        }
        return place
    }

    private func parent(of pointer: String) throws(Failure) -> (parent: OpaqueJSON, name: String) {
        guard let tokens = JSONPointer.tokens(pointer), let name = tokens.last else { throw Self.nowhere(pointer) }
        return (try locate(tokens.dropLast(), pointer), name)
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
    public func spliced(over view: JSONView, in text: UnsafeRawBufferPointer) throws(Failure) -> [UInt8] {
        let replacement = try serialized(.compact)
        let from = min(view.offset, text.count)
        let to = min(from + view.text.count, text.count)
        return Array(text[..<from]) + replacement + Array(text[to...])
    }
}
