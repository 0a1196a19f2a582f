/// One of Apple's push types, as its documentation has it.
package struct PushTypeFact: Sendable, CustomStringConvertible {
    package let name: String
    package let suffix: String
    /// The system never shows PushKit types and types for the app alone.
    package let isShown: Bool

    package init(_ name: String, _ suffix: String, isShown: Bool) {
        self.name = name
        self.suffix = suffix
        self.isShown = isShown
    }

    package var description: String { name }

    /// Apple, "Sending notification requests to APNs"; `widgets`: Apple, "Updating widgets with WidgetKit push
    /// notifications"; `nowplaying`: Apple, "Publishing remote media sessions".
    package static let all = [
        PushTypeFact("alert", "", isShown: true),
        PushTypeFact("background", "", isShown: true),
        PushTypeFact("complication", ".complication", isShown: false),
        PushTypeFact("controls", ".push-type.controls", isShown: false),
        PushTypeFact("widgets", ".push-type.widgets", isShown: false),
        PushTypeFact("fileprovider", ".pushkit.fileprovider", isShown: false),
        PushTypeFact("liveactivity", ".push-type.liveactivity", isShown: false),
        PushTypeFact("location", ".location-query", isShown: false),
        PushTypeFact("mdm", "", isShown: false),
        PushTypeFact("pushtotalk", ".voip-ptt", isShown: false),
        PushTypeFact("voip", ".voip", isShown: false),
        PushTypeFact("nowplaying", ".push-type.nowplaying", isShown: false),
    ]
}
