import PushStore

/// A table of a store, as exports see it. `StoreMerger` says what becomes of it when the stores of parts are merged.
struct StoredTable: Sendable {
    var name: String
    /// Its rows as exports have them; nil if they have none.
    var record: DeviceRecord.Kind?

    init(_ name: String, record: DeviceRecord.Kind? = nil) {
        self.name = name
        self.record = record
    }
}
