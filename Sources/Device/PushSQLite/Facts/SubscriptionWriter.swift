import GRDB
import PushStore

struct SubscriptionWriter {
    private let delete = Prepared(StoreQuery.deleteSubscriptions)
    private let insert = Prepared("INSERT INTO subscription (topic, installation) VALUES (?, ?)")

    /// Replaces the topics of an app.
    ///
    /// - Parameters:
    ///   - topics: nil when nothing is known about them; empty when there are none.
    ///   - installation: row id of the app on the device.
    func write(_ topics: Set<String>?, of installation: Int64, in database: Database) throws {
        try delete(database).run(installation)
        guard let topics else { return }
        for topic in topics.isEmpty ? [""] : topics.sorted() { try insert(database).run(topic, installation) }
    }
}
