import Synchronization

/// How text for people looks, as the options of the command have it. For the whole process: set before anything is written.
package struct OutputSettings: Sendable {
    package enum Colors: String, Sendable, CaseIterable {
        /// As the environment has it, and otherwise on a terminal.
        case auto
        case always, never
    }

    package var colors = Colors.auto
    /// True if lines may be longer than the terminal is wide.
    package var isWide = false
    /// Columns of the terminal on which a pager shows standard output; nil without a pager.
    var columnsOfPager: Int?

    package init(colors: Colors = .auto, isWide: Bool = false) {
        self.colors = colors
        self.isWide = isWide
    }

    private static let settings = Mutex(OutputSettings())

    package static var current: OutputSettings {
        get { settings.withLock(\.self) }
        set { settings.withLock { $0 = newValue } }
    }
}
