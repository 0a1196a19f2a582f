#if os(Linux)
    /// Name of a sound file.
    public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Makes a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// The sound of a notification. Does not change once made.
    ///
    /// Not `open`, unlike Apple's, because the methods that return `Self` need an initializer that a subclass outside could not have.
    public class UNNotificationSound: ImmutableObject, @unchecked Sendable {
        /// The values of a sound.
        package struct Values: Hashable, Sendable {
            /// Name of the file; nil for the system's sound.
            package var name: String?
            /// True if it ignores the mute switch.
            package var isCritical = false
            /// True if it rings like a call.
            package var isRingtone = false
            /// Volume of a critical sound from 0 to 1; nil for the one the person has chosen.
            package var volume: Float?
        }

        /// The sound's values, for the host.
        package let values: Values

        required init(values: Values) {
            self.values = values
            super.init()
        }

        /// Makes the sound of a file.
        public convenience init(named name: UNNotificationSoundName) {
            self.init(values: Values(name: name.rawValue))
        }

        /// The sound that the system plays when none is named.
        public class var `default`: UNNotificationSound { UNNotificationSound(values: Values()) }

        /// The default sound for critical alerts.
        public class var defaultCritical: UNNotificationSound { UNNotificationSound(values: Values(isCritical: true)) }

        /// The person's ringtone.
        public class var defaultRingtone: UNNotificationSound { UNNotificationSound(values: Values(isRingtone: true)) }

        /// The default sound for critical alerts at a volume from 0 to 1.
        public class func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
            self.init(values: Values(isCritical: true, volume: volume))
        }

        /// The sound of a file, for critical alerts.
        public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
            self.init(values: Values(name: name.rawValue, isCritical: true))
        }

        /// The sound of a file, for critical alerts, at a volume from 0 to 1.
        public class func criticalSoundNamed(_ name: UNNotificationSoundName, withAudioVolume volume: Float) -> Self {
            self.init(values: Values(name: name.rawValue, isCritical: true, volume: volume))
        }

        /// The sound of a file, played like a ringtone.
        public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> Self {
            self.init(values: Values(name: name.rawValue, isRingtone: true))
        }

        // MARK: - Comparing and printing

        @_spi(Overlay) public override var comparedValues: [AnyHashable?] { [values] }

        public override var description: String {
            var parts = [values.name ?? "default"]
            if values.isCritical { parts.append("critical") }
            if values.isRingtone { parts.append("ringtone") }
            if let volume = values.volume { parts.append("volume: \(volume)") }
            return describe(self, parts)
        }
    }
#endif
