import PushStore

/// A table of a store, as exports and merges see it.
struct StoredTable: Sendable {
    /// The treatment of its rows when the stores of parts are merged.
    enum Merging: Sendable {
        case copied(Copying)
        /// It has facts about a whole store, which are joined (`StoredFact.join`).
        case joined
        /// It is about the files of a part.
        case leftOut
    }

    /// How rows are copied to a merged store.
    struct Copying: Sendable {
        /// The columns by which rows are ordered that one record causes in several parts without naming their targets: the record that a row is
        /// about, device and app. Null for a row that refers to its app.
        var tie: String
        /// True if rows have ids, which are their places; the others are in no order.
        var hasIDs = true
        /// True if one record can cause such rows.
        var hasSharedBatches = true
        /// The clause for a row that two parts have; empty if no two parts have the same.
        var conflict = ""
        /// The tables to whose rows columns refer.
        var references: [String: String] = [:]
    }

    var name: String
    var merging: Merging
    /// Its rows as exports have them; nil if they have none.
    var record: DeviceRecord.Kind?

    init(_ name: String, _ merging: Merging, record: DeviceRecord.Kind? = nil) {
        self.name = name
        self.merging = merging
        self.record = record
    }

    /// How its rows are copied; nil if they are not.
    var copying: Copying? { if case .copied(let copying) = merging { copying } else { nil } }

    /// The tables that its rows refer to.
    var references: [String] { copying.map { Array($0.references.values) } ?? [] }
}
