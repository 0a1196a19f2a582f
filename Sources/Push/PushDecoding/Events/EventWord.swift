import PushModel

/// A word that a member of an event takes, and its meaning, for the documentation.
package struct EventWord: Sendable {
    /// The member's name.
    package let member: StaticString
    package let word: String
    package let meaning: StaticString

    private init(_ member: StaticString, _ word: some RawRepresentable<String>, _ meaning: StaticString) {
        self.member = member
        self.word = word.rawValue
        self.meaning = meaning
    }

    /// Every word of every member that takes one of several.
    package static let table: [EventWord] = [
        EventWord("platform", Platform.ios, "an iPhone or another device of Apple"),
        EventWord("platform", Platform.android, "a device with Android"),
        EventWord("platform", Platform.web, "a browser with an app of the web"),
        EventWord("browser", DeviceEvent.Browser.chrome, "Chrome"),
        EventWord("browser", DeviceEvent.Browser.firefox, "Firefox"),
        EventWord("browser", DeviceEvent.Browser.safari, "Safari"),
        EventWord("forget", DeviceEvent.Unknown.browser, "which browser it is"),
        EventWord("forget", DeviceEvent.Unknown.types, "the types of notifications that the app shows"),
        EventWord("forget", DeviceEvent.Unknown.categories, "the categories of the app's actions"),
        EventWord("forget", DeviceEvent.Unknown.channels, "the notification channels of an Android app"),
        EventWord("forget", DeviceEvent.Unknown.activities, "the activities that an Android app can open"),
        EventWord("forget", DeviceEvent.Unknown.loggedIn, "whether somebody is logged in to the app"),
        EventWord("locked", DeviceEvent.Lock.beforeFirstUnlock, "it was restarted, and not unlocked since"),
        EventWord("previews", DeviceEvent.Previews.always, "texts are always shown"),
        EventWord("previews", DeviceEvent.Previews.whenUnlocked, "texts are hidden while the device is locked"),
        EventWord("previews", DeviceEvent.Previews.never, "texts are never shown"),
        EventWord("state", DeviceEvent.AppState.foreground, "the app is on the screen"),
        EventWord("state", DeviceEvent.AppState.background, "it runs, and is not on the screen"),
        EventWord("state", DeviceEvent.AppState.terminated, "the system has ended it, or it was never started"),
        EventWord(
            "state", DeviceEvent.AppState.forceQuit,
            "the user has ended it: background pushes do not reach it until the user opens it"),
        EventWord(
            "state", DeviceEvent.AppState.forceStopped,
            "the user has stopped it in the settings of an Android device: no message reaches it until the user opens it"
        ),
        EventWord("authorization", DeviceEvent.Authorization.notDetermined, "the app has not asked the user yet"),
        EventWord("authorization", DeviceEvent.Authorization.denied, "the user does not allow notifications"),
        EventWord("authorization", DeviceEvent.Authorization.authorized, "the user allows notifications"),
        EventWord(
            "authorization", DeviceEvent.Authorization.provisional,
            "the app did not ask: notifications go to the list without a sound, and the user decides there"),
        EventWord("registration", DeviceEvent.Registration.succeeded, "the server that sends pushes has the token"),
        EventWord("registration", DeviceEvent.Registration.failed, "the system provided no token"),
        EventWord("registration", DeviceEvent.Registration.pending, "the app has not asked, or has no answer yet"),
        EventWord(
            "registration", DeviceEvent.Registration.subscriptionFailed,
            "there is a token, which the server that sends pushes did not take"),
        EventWord("token", DeviceEvent.TokenStanding.confirmed, "its owner has confirmed it"),
        EventWord("token", DeviceEvent.TokenStanding.unconfirmed, "its owner has not confirmed it yet"),
        EventWord(
            "token", DeviceEvent.TokenStanding.disabled,
            "a push service reported it as unregistered: nothing is sent to it"),
        EventWord(
            "token", DeviceEvent.TokenStanding.deleted,
            "nothing is sent to it, and it does not come back unless it is confirmed"),
        EventWord("will_present", DeviceEvent.Presentation.banner, "a banner appears"),
        EventWord("will_present", DeviceEvent.Presentation.list, "it goes to the list"),
        EventWord("will_present", DeviceEvent.Presentation.sound, "its sound is played"),
        EventWord("will_present", DeviceEvent.Presentation.badge, "it sets the number on the icon"),
        EventWord("will_present", DeviceEvent.Presentation.alert, "a banner appears, and it goes to the list"),
        EventWord("delegate", DeviceEvent.Delegate.none, "the app has no delegate"),
        EventWord(
            "delegate", DeviceEvent.Delegate.withoutWillPresent,
            "the app has a delegate without userNotificationCenter(_:willPresent:withCompletionHandler:)"),
        EventWord("levels", DeviceEvent.Level.timeSensitive, "time-sensitive notifications may pass a Focus"),
        EventWord("levels", DeviceEvent.Level.critical, "critical alerts may pass a Focus and the mute switch"),
        EventWord("kind", DeviceEvent.ScreenKind.plain, "a screen for nothing in particular"),
        EventWord("kind", DeviceEvent.ScreenKind.editor, "an editor, in which work may be unsaved"),
        EventWord("kind", DeviceEvent.ScreenKind.center, "the app's own list of notifications"),
        EventWord("kind", DeviceEvent.ScreenKind.article, "an article"),
        EventWord("answer", DeviceEvent.Answer.discard, "the unsaved work is lost"),
        EventWord("answer", DeviceEvent.Answer.cancel, "the user keeps it, and nothing changes"),
    ]
}

extension EventMember.Form {
    /// The words that the form has, without true and false; none if it takes others as well.
    package var choices: [String] {
        switch self {
        case .choice(let words), .choices(let words), .flagOrChoice(let words): words
        case .text, .flag, .texts, .number, .time, .duration, .categories, .channels: []
        }
    }
}
