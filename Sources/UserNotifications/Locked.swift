import Foundation

/// A value behind a lock, whose members are read and written one at a time.
///
/// The classes of this module that can change keep their state in one, because apps hand them from thread to thread. A lock
/// and not `Mutex`, because user info holds values that are not `Sendable`.
@dynamicMemberLookup
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Puts the value behind a new lock.
    init(_ value: Value) {
        self.value = value
    }

    /// A copy of the whole value.
    var snapshot: Value { withLock { $0 } }

    /// Reads or writes one member.
    subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
        get { withLock { $0[keyPath: path] } }
        set { withLock { $0[keyPath: path] = newValue } }
    }

    /// Runs a closure while nobody else can reach the value.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
