#if os(Linux)
    /// An object of a payload, as a list and not a dictionary: it has few members, and hashing their names would take longer than comparing them.
    /// Names are unique. They have a list of their own, because to look at one of a pair copies both.
    package struct PayloadObject {
        private var names: [String] = []
        private var values: [Any] = []

        /// - Parameter capacity: the number of members that will be added.
        package init(capacity: Int = 0) {
            names.reserveCapacity(capacity)
            values.reserveCapacity(capacity)
        }

        package init(members: [(name: String, value: Any)]) {
            self.init(capacity: members.count)
            for (name, value) in members { add(name, value) }
        }

        init(_ object: [String: Any]) {
            self.init(capacity: object.count)
            for (name, value) in object { add(name, value) }
        }

        /// An object in either form; nil for any other value.
        init?(_ value: Any?) {
            switch value {
            case let object as PayloadObject: self = object
            case let object as [String: Any]: self.init(object)
            default: return nil
            }
        }

        /// Adds a member whose name is new.
        package mutating func add(_ name: String, _ value: Any) {
            names.append(name)
            values.append(value)
        }

        subscript(name: String) -> Any? {
            // By index: a closure would get a copy of each name.
            for index in names.indices where names[index] == name { return values[index] }
            return nil
        }
    }
#endif
