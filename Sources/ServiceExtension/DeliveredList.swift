import UserNotifications

/// What is in Notification Center, oldest first, with an index by identifier.
///
/// A place that was left stays empty until half of them are, so that neither showing nor removing one costs more the more there are.
struct DeliveredList {
    private var places: [UNNotification?] = []
    private var index: [String: Int] = [:]

    /// How many there are.
    var count: Int { index.count }

    /// All, oldest first.
    var all: [UNNotification] { places.compactMap(\.self) }

    /// The identifiers of all.
    var identifiers: Set<String> { Set(index.keys) }

    /// The one of an identifier.
    subscript(identifier: String) -> UNNotification? { index[identifier].flatMap { places[$0] } }

    /// Puts a notification on top. Returns whether one of the same identifier gave way.
    mutating func show(_ notification: UNNotification) -> Bool {
        let earlier = index.updateValue(places.count, forKey: notification.request.identifier)
        if let earlier { places[earlier] = nil }
        places.append(notification)
        compact()
        return earlier != nil
    }

    /// Removes some, or all. Returns the identifiers of those that were there, oldest first.
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
