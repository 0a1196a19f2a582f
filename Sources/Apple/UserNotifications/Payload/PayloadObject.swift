#if os(Linux)
    /// An object of a payload, as a list and not a dictionary: it has few members, and hashing their names would take longer than comparing them.
    /// Names are unique.
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

        subscript(name: String) -> Any? {
            // By index: a closure would get a copy of each member.
            for index in members.indices where members[index].name == name { return members[index].value }
            return nil
        }
    }
#endif
