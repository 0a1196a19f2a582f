import PushStore
import PushSystem

/// How much memory a store uses, and how large its transactions are.
package struct StoreSizes: Sendable, Equatable {
    /// Maximum size of SQLite's page cache, in bytes. SQLite allocates pages as it needs them.
    package var cacheBytes: Int
    /// Maximum number of apps on devices and notifications to keep in memory between two transactions, about 170 bytes
    /// each.
    package var maximumLoaded: Int
    /// False to keep as much as a transaction needs if that is more, since the next one probably needs it, too.
    package var isLoadedLimited = false
    /// Bytes of input in a transaction, at most.
    package var transactionBytes: Int
    /// Size of the write-ahead log, in bytes, at which it begins anew.
    package var checkpointBytes: Int
    /// The growth of the log, in bytes, between two copies of it into the file. Each waits for the disk, and small ones leave the disk free
    /// for others.
    package var copyBytes = 8 << 20

    /// Sizes for a machine with this much memory, in bytes: 1/32 of it for the page cache, and 1/16 for what is loaded.
    ///
    /// A transaction writes each index page that it touches once, so in a large one a page serves more records. Small
    /// machines get 16 MiB of pages, 220 MiB of loaded devices and transactions of 4 MiB; nobody gets more than 512 MiB
    /// of pages and transactions of 16 MiB.
    package init(memoryBytes: UInt64) {
        let memory = Int(clamping: memoryBytes)
        cacheBytes = min(max(memory / 32, 16 << 20), 512 << 20)
        maximumLoaded = min(max(memory / 16 / Self.loadedBytes, 5 << 18), 16 << 20)
        transactionBytes = min(max(memory / 1024, 4 << 20), 16 << 20)
        checkpointBytes = max(cacheBytes / 4, 32 << 20)
    }

    private static let loadedBytes = 170

    /// Makes the sizes those of a process that runs for long, and shares the machine with what it serves: 16 MiB of pages, and what 32 MiB of
    /// memory hold. What was loaded and is not used is in the file, and is loaded again if it is.
    package mutating func keepLittle() {
        cacheBytes = min(cacheBytes, 16 << 20)
        maximumLoaded = min(maximumLoaded, (32 << 20) / Self.loadedBytes)
        isLoadedLimited = true
    }

    /// Sizes for this machine.
    package static var forThisMachine: StoreSizes { StoreSizes(memoryBytes: MachineMemory.byteCount) }

    /// The smallest sizes, with this many apps and notifications in memory.
    package static func smallest(maximumLoaded: Int) -> StoreSizes {
        var sizes = StoreSizes(memoryBytes: 0)
        sizes.maximumLoaded = maximumLoaded
        return sizes
    }
}

/// Chooses how much input a transaction takes.
///
/// Records with many targets, or long names that each report line repeats, can make the rows and the report of a
/// transaction many times as large as its input. Both are in memory until the commit, and SQLite stores no text over
/// 10⁹ bytes. So transactions start small, grow while they are filled and their results are of an ordinary size, and shrink
/// when they are not.
package struct TransactionPace {
    private static let start = 4 << 20
    private static let smallest = 64 << 10
    /// Four times the largest transaction: ordinary records yield twice their size.
    package static let largestResult = 64 << 20

    private let maximum: Int
    /// Bytes of input for the next transaction.
    package private(set) var bytes: Int
    /// True unless a transaction was not filled, or its results were large.
    private var isGrowing = true

    package init(maximum: Int) {
        self.maximum = maximum
        bytes = min(Self.start, maximum)
    }

    /// Bytes of input for a transaction that is read while others before it have not produced anything yet. It is expected to grow as they do.
    ///
    /// - Parameter ahead: the number of those others.
    package func bytes(after ahead: Int) -> Int {
        isGrowing ? min(bytes << min(max(ahead, 0), Self.mostDoublings), maximum) : bytes
    }

    /// More lead past any maximum.
    private static let mostDoublings = 8

    /// Takes into account what a transaction produced, in bytes.
    ///
    /// Only rows gain from a larger one. There are few of them where nothing is shown, and where the input is slower than
    /// its processing, so that it fills no transaction.
    package mutating func adapt(toRows rows: Int, report: Int) {
        let result = rows + report
        isGrowing = result <= Self.largestResult / 2 && rows >= bytes / 4
        if result > Self.largestResult {
            bytes = max(bytes / max(result / Self.largestResult, 2), Self.smallest)
        } else if isGrowing {
            bytes = min(2 * bytes, maximum)
        }
    }
}
