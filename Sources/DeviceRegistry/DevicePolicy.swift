public import AppSimulation

/// What an emulated provider, and the devices behind it, are strict about.
public struct DevicePolicy: Sendable, Equatable {
    /// Whether a token that no event has registered is taken for a dead one. Otherwise it can be reached.
    public var rejectsUnknownDevices = false
    /// Pushes to one token within a minute; nil for any number.
    public var pushesPerMinute: Int?
    /// Pushes of one sender, which is an app at its provider, within a minute; nil for any number.
    public var pushesPerMinuteOfSender: Int?
    /// Background pushes that a device hands to one app within an hour; nil for any number.
    public var backgroundPushesPerHour: Int?
    /// What a push is about, for devices on which types of notifications are switched on and off; nil when nothing says so.
    public var typeMapping: PreferenceMapping?
    /// What the sender does about dead tokens and unconfirmed ones; nil when it does nothing.
    public var tokenLifeCycle: TokenLifeCycle?

    /// Values that options and scenarios accept for a rate limit.
    package static let limits = 0...1_000_000_000

    /// Reaches every device that nothing else is known of, as often as is asked for.
    public init() {}
}
