/// The form in which a report about a store is written.
package enum StoreReportForm: String, Sendable, CaseIterable {
    /// Columns for people.
    case text
    /// A JSON object a line.
    case ndjson
    /// RFC 4180, with a heading.
    case csv
}
