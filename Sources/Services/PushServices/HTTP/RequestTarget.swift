/// The path of a request in its parts, and its query.
struct RequestTarget: Equatable {
    /// Between the slashes, with percent escapes resolved. Empty ones are kept, except for one at the end.
    var segments: [String]
    var query: FormFields

    init(_ path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if names.last?.isEmpty == true { names.removeLast() }
        segments = names.map { FormFields.decoded($0, plusIsSpace: false) }
        query = FormFields(parts.count > 1 ? Array(parts[1].utf8) : [])
    }
}

/// The fields of a query, or of a body of the type `application/x-www-form-urlencoded`, in their order.
///
/// Source: WHATWG, URL, "application/x-www-form-urlencoded".
struct FormFields: Equatable {
    private(set) var fields: [(name: String, value: String)] = []

    static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }

    init(_ bytes: [UInt8]) {
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            fields.append(
                (
                    Self.decoded(sides.first ?? [], plusIsSpace: true),
                    sides.count > 1 ? Self.decoded(sides[1], plusIsSpace: true) : ""
                ))
        }
    }

    /// The first value of a field; nil without one.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
        decoded(Array(text.utf8)[...], plusIsSpace: plusIsSpace)
    }

    /// Resolves percent escapes. Anything else stays as it is; bytes that are no UTF-8 become replacement characters.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        guard bytes.contains(UInt8(ascii: "%")) || (plusIsSpace && bytes.contains(UInt8(ascii: "+"))) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var plain: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
                plain.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                plain.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where ("0"..."9").contains(Unicode.Scalar(byte)): byte - UInt8(ascii: "0")
        case let byte? where ("a"..."f").contains(Unicode.Scalar(byte)): byte - UInt8(ascii: "a") + 10
        case let byte? where ("A"..."F").contains(Unicode.Scalar(byte)): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
