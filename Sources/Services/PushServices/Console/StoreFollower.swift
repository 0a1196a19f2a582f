import PushStore
import PushSystem

/// Notices that another process has committed to a store.
final class StoreFollower: GatewayService {
    let isLogged = false
    private let traffic: GatewayTraffic
    /// A number that changes with each commit of another process.
    private let version: () throws -> Int64
    /// Nil until the store could be read.
    private var seen: Int64?
    private var due: Double
    /// Monotonic seconds; tests replace it.
    private let seconds: () -> Double

    /// How often the store is asked. SQLite reads a number in shared memory for it.
    static let secondsBetween = 0.2

    /// - Parameters:
    ///   - version: see `SQLiteStore.dataVersion`.
    ///   - seconds: monotonic.
    init(
        _ traffic: GatewayTraffic, seconds: @escaping () -> Double = SystemClock.monotonicSeconds,
        version: @escaping () throws -> Int64
    ) {
        self.traffic = traffic
        self.version = version
        self.seconds = seconds
        due = seconds()
        seen = try? version()
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? { nil }

    var nextDue: Double? { due }

    /// Composes no records.
    func takeDue(now: Double, _ records: inout RecordComposer) {
        due = seconds() + Self.secondsBetween
        // A store that cannot be read for a moment is asked again; requests say what is wrong.
        guard let current = try? version(), current != seen else { return }
        if seen != nil { traffic.noteChange() }
        seen = current
    }
}
