#if os(Linux)
    /// An object of a payload, in a list rather than a dictionary: it has a handful of members, and to hash their names would take longer than
    /// to compare them. Names come once.
    package struct PayloadObject {
        package var members: [(name: String, value: Any)]

        package init(members: [(name: String, value: Any)] = []) { self.members = members }

        init(_ object: [String: Any]) { members = object.map { ($0, $1) } }

        /// An object in either form; nil for any other value.
        init?(_ value: Any?) {
            switch value {
            case let object as PayloadObject: self = object
            case let object as [String: Any]: self.init(object)
            default: return nil
            }
        }

        subscript(name: String) -> Any? { members.first { $0.name == name }?.value }
    }
#endif
