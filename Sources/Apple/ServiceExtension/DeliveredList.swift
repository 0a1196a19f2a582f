#if os(Linux)
    import UserNotifications

    /// The notifications in Notification Center, oldest first, with an index by identifier.
    ///
    /// A removed entry stays as a gap until half of the entries are gaps, so that showing and removing take constant time on average.
    struct DeliveredList {
        private var places: [UNNotification?] = []
        private var index: [String: Int] = [:]

        var count: Int { index.count }

        /// All notifications, oldest first.
        var all: [UNNotification] { places.compactMap(\.self) }

        /// All identifiers, oldest first.
        var identifiers: Set<String> { Set(index.keys) }

        subscript(identifier: String) -> UNNotification? { index[identifier].flatMap { places[$0] } }

        /// Adds a notification at the top. Returns true if it replaced one with the same identifier.
        mutating func show(_ notification: UNNotification) -> Bool {
            let earlier = index.updateValue(places.count, forKey: notification.request.identifier)
            if let earlier { places[earlier] = nil }
            places.append(notification)
            compact()
            return earlier != nil
        }

        /// Removes these notifications, or all. Returns the identifiers that were there, oldest first.
        mutating func remove(_ identifiers: [String]?) -> [String] {
            guard let identifiers else {
                defer { self = DeliveredList() }
                return all.map(\.request.identifier)
            }
            var gone: [(place: Int, identifier: String)] = []
            for identifier in identifiers {
                guard let place = index.removeValue(forKey: identifier) else { continue }
                places[place] = nil
                gone.append((place, identifier))
            }
            compact()
            return gone.sorted { $0.place < $1.place }.map(\.identifier)
        }

        private mutating func compact() {
            guard places.count > 2 * index.count + 16 else { return }
            places = all
            for (place, notification) in places.enumerated() {
                if let notification { index[notification.request.identifier] = place }
            }
        }
    }
#endif
