import PushModel

/// Where and how a notification is presented.
package struct PresentationOptions: OptionSet, Sendable, Hashable {
    /// The bits, whose values are not those of Apple's option set.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shown briefly over whatever is on the screen.
    package static let banner = PresentationOptions(rawValue: 1)
    /// Appears in the system's list of notifications.
    package static let list = PresentationOptions(rawValue: 2)
    /// A sound is played.
    package static let sound = PresentationOptions(rawValue: 4)
    /// The number on the app's icon.
    package static let badge = PresentationOptions(rawValue: 8)
    /// Deprecated since iOS 14, where it stands for list and banner.
    package static let alert = PresentationOptions(rawValue: 16)

    /// All but the deprecated one.
    static let all: PresentationOptions = [.banner, .list, .sound, .badge]

    /// The options with `alert` replaced by what it stands for.
    var resolved: PresentationOptions {
        contains(.alert) ? union([.banner, .list]).intersection(.all) : intersection(.all)
    }
}

/// The parts of a notification that can be presented.
package struct NotificationTraits: Sendable, Equatable {
    /// There is a title, subtitle or body.
    package var hasText: Bool
    /// It names a sound.
    package var hasSound: Bool
    /// It sets the number on the app's icon.
    package var hasBadge: Bool
    /// Why it goes to the list alone; nil when it is presented as it asks.
    package var quiet: QuietReason?
    /// False if the user keeps the app's notifications out of the list.
    package var mayBeListed = true

    /// An ordinary alert by default.
    package init(
        hasText: Bool = true, hasSound: Bool = false, hasBadge: Bool = false, quiet: QuietReason? = nil
    ) {
        self.hasText = hasText
        self.hasSound = hasSound
        self.hasBadge = hasBadge
        self.quiet = quiet
    }

    var options: PresentationOptions {
        var options: PresentationOptions = []
        if hasText { options.formUnion(mayBeListed ? [.banner, .list] : .banner) }
        if hasSound { options.insert(.sound) }
        if hasBadge { options.insert(.badge) }
        return options
    }
}

/// The answer of the app's notification delegate while the app is in the foreground.
package enum PresentationDelegate: Sendable, Equatable {
    /// There is no delegate.
    case none
    /// The delegate does not implement `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    case methodMissing
    /// The delegate returns these options.
    case answers(PresentationOptions)
}

extension NotificationTraits {
    /// How a notification is presented.
    ///
    /// Sources: Apple, `userNotificationCenter(_:willPresent:withCompletionHandler:)` (a delegate without the method: not shown in the
    /// foreground; no delegate: the original options), `UNNotificationInterruptionLevel` (passive, or silenced by a Focus or the
    /// scheduled summary: the list, without sound or lighting up the screen), "Asking permission to use notifications"
    /// (provisional: quietly, to the history).
    package func presentation(
        state: AppState, delegate: PresentationDelegate, permission: NotificationPermission = .authorized
    ) -> PresentationOptions {
        var asked = PresentationOptions.all
        if state == .foreground {
            switch delegate {
            case .none: break
            case .methodMissing: return []
            case .answers(let options): asked = options.resolved
            }
        }
        switch permission {
        case .notDetermined, .denied: return []
        case .provisional: asked.formIntersection(.list)
        case .authorized: if quiet != nil { asked.formIntersection([.list, .badge]) }
        }
        return asked.intersection(options)
    }
}
