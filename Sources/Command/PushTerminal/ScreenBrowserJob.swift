import PushReports
import PushRuns
import PushStore
import PushSystem
package import PushText

/// Lets a person look through a store in a terminal, while another process may write to it.
package struct ScreenBrowserJob {
    private let store: any BrowsableStore
    private let version: () throws -> Int64
    private let title: String
    private let style: TextStyle
    /// The device to begin with; nil for the first.
    private let device: String?

    /// How often the store is asked whether it has changed, and how long an escape may take to become a sequence.
    private static let milliseconds: Int32 = 200

    /// - Parameters:
    ///   - version: a number that changes when another process has written to the store.
    ///   - title: what to call the store.
    ///   - device: the whole name of the device to begin with; nil for the first.
    init(
        _ store: any BrowsableStore, version: @escaping () throws -> Int64, title: String, device: String?,
        style: TextStyle
    ) {
        self.store = store
        self.version = version
        self.title = title
        self.device = device
        self.style = style
    }

    /// Shows a store in the terminal of standard input and output. Without one, its screens as plain text.
    ///
    /// - Parameters:
    ///   - path: of the store.
    ///   - device: the beginning of the name of the device to begin with; nil for the first.
    ///   - plain: writes a part of the plain text.
    /// - Throws: `StoreError`, `DeviceNameError`, `SystemError`, errors of `plain`.
    package static func show(
        _ path: String, device: String?, style: TextStyle, isStopped: () -> Bool, plain: (String) throws -> Void
    ) throws {
        TemporaryFiles.keep(beside: path)
        let name = try device.map { try SQLiteStore.openByDevice(path: path).device(named: $0) }
        let store = try FollowedStore(path: path)
        guard Terminal.isTerminal(.standardInput), Terminal.isTerminal(.standardOutput) else {
            return try ScreenReport(style: style).write(store, device: name, to: plain)
        }
        let job = ScreenBrowserJob(
            store, version: store.version, title: path, device: name,
            style: TextStyle(hasColors: style.hasColors))
        try job.run(on: FullScreen(input: .standardInput, output: .standardOutput), isStopped: isStopped)
    }

    /// Runs until the person quits, the input ends, or `isStopped` returns true.
    ///
    /// - Throws: errors of the terminal. A store that cannot be read is said on the last line, and tried again.
    func run(on terminal: some BrowserTerminal, isStopped: () -> Bool) throws {
        var session = BrowserSession(
            store, version: version, title: title, device: device, style: style, size: terminal.size)
        while !isStopped() {
            try session.draw(on: terminal)
            guard let bytes = try terminal.read(milliseconds: Self.milliseconds, orUntil: nil) else { return }
            if session.take(bytes) { return }
            if bytes.isEmpty { session.look() }
        }
    }
}
