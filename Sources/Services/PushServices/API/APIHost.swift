import PushLint

/// The API's description of its gateway.
struct APIHost {
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

    /// The credentials that senders need and a page does not have.
    var demands: [Demand] = []

    /// A proof of identity that a sender has to give.
    enum Demand: String {
        /// To APNs, with a provider token.
        case providerToken = "provider-token"
        /// To Google's services, with an access token.
        case accessToken = "access-token"
    }

    /// True if nothing can be changed.
    var isReadOnly: Bool { mode == .view }

    /// Of pushpipe.
    var version: String { ToolVersion.current }
}
