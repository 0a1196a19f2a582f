#if os(Linux)
    /// Would reload widgets; there are none here.
    public final class WidgetCenter: Sendable {
        /// The center.
        public static let shared = WidgetCenter()

        private init() {}

        /// Would reload all widgets.
        public func reloadAllTimelines() {}
        /// Would reload the widgets of a kind.
        public func reloadTimelines(ofKind kind: String) {}
        /// Would forget the recommendations of all kinds.
        public func invalidateConfigurationRecommendations() {}
    }
#endif
