/// Which records a run writes besides its report, and how they look.
package struct Emission: Sendable, Equatable {
    /// Which records are written.
    package enum Selection: String, Sendable, CaseIterable {
        /// Those with a message that its provider accepts.
        case accepted
        /// Those of them with a payload that a stage or a service extension changed.
        case changed
        /// Every record, events and malformed ones too.
        case all
    }

    /// How a record is written.
    package enum Form: String, Sendable, CaseIterable {
        /// As it was read, except for what was changed.
        case input
        /// As an envelope for each request: provider, device, headers and payload.
        case envelope
    }

    package var selection: Selection
    package var form: Form

    package init(_ selection: Selection, as form: Form = .input) {
        self.selection = selection
        self.form = form
    }
}

/// Counts of the records that a run wrote.
package struct EmissionSummary: Sendable, Equatable {
    /// Records and envelopes written.
    package internal(set) var written: UInt64 = 0
    /// Records with a change in a payload that is not in the record as it is: a gateway's or Google's, made for Apple's devices.
    package internal(set) var derived: UInt64 = 0
    /// Records whose text is not available, or that may still contain what must be hidden: those over the limit; in a run that redacts
    /// those that are malformed; and with hidden content those that are refused, or have JSON in strings.
    package internal(set) var unknown: UInt64 = 0
    /// Records that a change cannot be put into, for example beside a number that JSON libraries cannot represent.
    package internal(set) var unwritable: UInt64 = 0
    /// Records that are over their budget with what an extension added.
    package internal(set) var tooLarge: UInt64 = 0
    /// Records that say what an envelope cannot: that a push to APNs is a dry run, or that it is of a gateway's kind.
    package internal(set) var inexpressible: UInt64 = 0

    /// Records that were to be written and were not.
    package var missing: UInt64 { derived &+ unknown &+ unwritable &+ tooLarge &+ inexpressible }
}
