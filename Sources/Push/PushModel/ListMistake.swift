import PayloadJSON

/// A mistake in an element of a list that is a member of an event.
package struct ListMistake: Error {
    /// For a message: `channels[0].importance must be one of none, min, low, default, high`.
    package var words: String
    /// The place of the value in the record, in bytes.
    package var offset: Int

    init(_ words: String, _ value: JSONView) {
        self.words = words
        offset = value.offset
    }

    /// A member that elements of the list do not have.
    init(unknown name: String, among names: [String], _ place: String, _ value: JSONView) {
        self.init("\(place) has no member \"\(name.prefix(40))\"; it has \(names.joined(separator: ", "))", value)
    }

    /// The identifier of an element: its member `id`.
    static func identifier(of view: JSONView, _ place: String) throws(ListMistake) -> String {
        guard view.isObject else { throw ListMistake("\(place) must be an object", view) }
        guard let value = view["id"] else { throw ListMistake("\(place) needs an id", view) }
        guard let text = value.string?.string, !text.isEmpty else {
            throw ListMistake("\(place).id must be a string that is not empty", value)
        }
        return text
    }

    static func flag(_ value: JSONView, _ place: String) throws(ListMistake) -> Bool {
        guard value.kind == .true || value.kind == .false else {
            throw ListMistake("\(place) must be true or false", value)
        }
        return value.kind == .true
    }

    static func text(_ value: JSONView, _ place: String) throws(ListMistake) -> String {
        guard let text = value.string?.string else { throw ListMistake("\(place) must be a string", value) }
        return text
    }
}
