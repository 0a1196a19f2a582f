/// The format of a report about a store.
package enum StoreReportForm: String, Sendable, CaseIterable {
    /// Columns of text.
    case text
    /// One JSON object per line.
    case ndjson
    /// RFC 4180, with a header line.
    case csv
}
