/// Values in the order in which they came, one for each identifier. A value that comes again is the newest one.
///
/// Adding and removing take expected O(1): an extension chooses how many there are.
struct Arrivals<Value> {
    /// In order; nil where one was removed.
    private var places: [(identifier: String, value: Value)?] = []
    private var index: [String: Int] = [:]

    /// How many removed values may stay besides as many as there are others.
    private static var spare: Int { 16 }

    var isEmpty: Bool { index.isEmpty }
    var identifiers: Dictionary<String, Int>.Keys { index.keys }
    /// Oldest first.
    var values: [Value] { places.compactMap { $0?.value } }

    mutating func append(_ value: Value, as identifier: String) {
        remove(identifier)
        index[identifier] = places.count
        places.append((identifier, value))
    }

    mutating func remove(_ identifier: String) {
        guard let place = index.removeValue(forKey: identifier) else { return }
        places[place] = nil
        guard places.count > 2 * index.count + Self.spare else { return }
        places.removeAll { $0 == nil }
        for (place, entry) in places.enumerated() {
            if let entry { index[entry.identifier] = place }
        }
    }

    mutating func removeAll() { self = Self() }
}
