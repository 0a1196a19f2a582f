import PushStore
import Synchronization

/// How long a connection waits for another process that is writing. SQLite asks on whatever thread uses the connection.
final class StorePatience: Sendable {
    private let value: Atomic<Int>

    init(seconds: Int) { value = Atomic(seconds) }

    var seconds: Int {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
    }
}
