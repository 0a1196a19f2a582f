import GRDB

/// Writes the topics that apps on devices are subscribed to.
struct SubscriptionWriter {
    private let delete: PreparedStatement
    private let insert: PreparedStatement

    init(_ database: Database) throws {
        delete = try PreparedStatement(database, StoreQuery.deleteSubscriptions)
        insert = try PreparedStatement(database, "INSERT INTO subscription (topic, installation) VALUES (?, ?)")
    }

    /// Replaces the topics of an app.
    ///
    /// - Parameters:
    ///   - topics: nil when nothing is known about them; empty when there are none.
    ///   - installation: row id of the app on the device.
    func write(_ topics: Set<String>?, of installation: Int64) throws {
        delete.bind(1, installation)
        try delete.run()
        guard let topics else { return }
        for topic in topics.isEmpty ? [""] : topics.sorted() {
            insert.bind(1, copying: topic)
            insert.bind(2, installation)
            try insert.run()
        }
    }
}
