import PushJSON
public import PushModel

/// The command line's settings for reading records.
public struct DecodingOptions: Sendable {
    /// Reads every record in this format, unless the record has a `"provider"` of its own. Nil detects each record's
    /// format from its keys.
    public var format: RecordFormat?
    /// The platform of devices with GCM and FCM tokens. Nil: Android, except for messages with only an `apns` block.
    public var platform: Platform?
    /// The device of records that do not name one.
    public var device = "default"
    /// The app of records that do not name one.
    public var topic = ""
    /// Forces one budget for all messages.
    public var budget: Budget?
    /// Accepts single quotes, bare keys and trailing commas, and reports each change in a finding.
    public var acceptsRelaxedJSON = false
    /// Where the record is in each object or line of the input. Nil: the object is the record. For pipelines and for `TextLinter`; a
    /// `Linter` is given records.
    package var location: RecordLocation?
    /// Reads every object as a device event, with or without `"event"`: the input is a file of devices.
    package var readsDevices = false
    /// How an extension finds the notifications that a new one replaces. Nil for an app without such an extension.
    package var replacement: ReplacementRule?
    /// Reads pushes with an alert as if they had `mutable-content` 1: what a service extension would do with them.
    package var assumesMutable = false
    /// Most bytes of text for each byte of a compressed file, beyond the first 64 MiB.
    package var mostExpansion = 100
    /// Words what can be done about a record, for messages.
    package var advice = Advice.unsaid

    /// Detects every format, forces nothing.
    public init() {}

    /// The member of the payload that such an extension compares. Setting it sets a rule with defaults.
    public var replacementKey: String? {
        get { replacement?.key }
        set { replacement = newValue.map { ReplacementRule(key: $0) } }
    }
}

/// Text at a fixed address, so that messages can borrow it.
@safe  // SOUND: owns an immutable copy of the text.
final class OwnedText: Sendable {
    // SOUND: written once, before it is shared, and freed with the last owner.
    nonisolated(unsafe) private let buffer: UnsafeBufferPointer<UInt8>

    init(_ string: String) {
        // SOUND: the copy has room for the string's bytes, and is not empty, so it has an address.
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(string.utf8.count, 1))
        _ = unsafe copy.initialize(fromContentsOf: string.utf8)
        unsafe buffer = UnsafeBufferPointer(rebasing: copy[..<string.utf8.count])
    }

    deinit {
        // SOUND: the buffer begins where the allocation does, and is freed once.
        unsafe buffer.baseAddress?.deallocate()
    }

    /// The text. Valid as long as this object is.
    var text: BorrowedText {
        // SOUND: the first `count` bytes are initialized, and never change.
        unsafe buffer.baseAddress.map { unsafe BorrowedText(start: $0, count: buffer.count) } ?? .empty
    }
}
