import PushSystem

/// The path of a request in its parts, and its query.
struct RequestTarget: Equatable {
    /// Between the slashes, with percent escapes resolved. Empty ones are kept, except for one at the end.
    var segments: [String]
    var query: FormFields

    init(_ path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if names.last?.isEmpty == true { names.removeLast() }
        segments = names.map { FormFields.decoded($0.utf8, plusIsSpace: false) }
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

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Resolves percent escapes. Anything else stays as it is; bytes that are no UTF-8 become replacement characters.
    static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        String(
            decoding: PercentEncoding.decoded(text, plusIsSpace: plusIsSpace, keepsBroken: true) ?? [], as: UTF8.self)
    }
}
