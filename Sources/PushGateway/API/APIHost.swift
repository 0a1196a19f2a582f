import PushLint

/// What the API tells about the gateway that it belongs to.
struct APIHost {
    /// Which command answers.
    enum Mode: String {
        /// `pushpipe serve`: pushes come in, and events happen.
        case serve
        /// `pushpipe view`: a store is shown that others write.
        case view
    }

    var mode = Mode.serve
    /// The store's file; nil for a store in memory.
    var storePath: String?
    /// How many lines of the journal are kept; nil for all.
    var journalLimit: Int?

    /// Whether nothing can be changed.
    var isReadOnly: Bool { mode == .view }

    /// Of pushpipe.
    var version: String { ToolVersion.current }
}
