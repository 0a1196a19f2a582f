import DeviceScreens
import NotificationStore
import PushReports
import PushRuns
import SystemSupport
package import TerminalStyle

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
    /// After how many of them the list of devices is read again, if the store has changed: 2 s.
    private static let turnsBetweenLists = 10
    /// Apps on devices that are listed at most, and notifications of a device that are drawn.
    private static let mostApps = 10_000
    private static let mostNotifications = 200

    /// - Parameters:
    ///   - version: a number that changes when another process has written to the store.
    ///   - title: what to call the store.
    ///   - device: the whole name of the device to begin with; nil for the first.
    init(
        _ store: any BrowsableStore, version: @escaping () throws -> Int64, title: String, device: String?,
        style: TextStyle
    ) {
        (self.store, self.version, self.title) = (store, version, title)
        (self.device, self.style) = (device, style)
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
        let size = terminal.size
        var browser = ScreenBrowser(title: title, style: style, columns: size.columns, rows: size.rows)
        var keys = KeyReader()
        var seen = read(into: &browser, isFirst: true)
        var frame: [String] = []
        // The first change is shown at once.
        var (turns, isListOld) = (Self.turnsBetweenLists, false)
        while !isStopped() {
            (browser.columns, browser.rows) = terminal.size
            let lines = browser.lines
            if lines != frame {
                try terminal.show(lines)
                frame = lines
            }
            guard let bytes = try terminal.read(milliseconds: Self.milliseconds) else { return }
            for command in keys.commands(bytes, isEnd: bytes.isEmpty) {
                if command == .quit { return }
                if browser.handle(command) { readScreen(into: &browser, isFirst: true) }
            }
            guard bytes.isEmpty else { continue }
            turns += 1
            let current = try? version()
            let isChanged = current != seen
            // The list of devices may be long, and changes less often than what they show.
            if seen == nil || turns >= Self.turnsBetweenLists && (isChanged || isListOld) {
                (turns, isListOld) = (0, false)
                seen = read(into: &browser, isFirst: false)
            } else if isChanged {
                isListOld = true
                seen = readScreen(into: &browser, isFirst: false) ? current : nil
            }
        }
    }

    /// Returns the version that was read; nil if the store could not be read.
    private func read(into browser: inout ScreenBrowser, isFirst: Bool) -> Int64? {
        do {
            let version = try version()
            let before = browser.device
            var devices = try devices()
            if let device, !devices.contains(where: { $0.name == device }) {
                devices.insert(ScreenBrowser.Device(name: device, count: 0), at: 0)
            }
            browser.take(devices)
            if isFirst, let device { _ = browser.select(device) }
            return readScreen(into: &browser, isFirst: isFirst || browser.device != before) ? version : nil
        } catch {
            browser.take(problem: Self.words(of: error))
            return nil
        }
    }

    @discardableResult
    private func readScreen(into browser: inout ScreenBrowser, isFirst: Bool) -> Bool {
        guard let device = browser.device else { return true }
        do {
            let newest = try store.newest(on: device, app: nil, before: .max, limit: Self.mostNotifications)
            let activities = try store.liveActivities(device: device, app: nil).filter { $0.state != .dismissed }
            browser.take(
                newest.map(\.notification), LiveActivity.inOrderOfRelevance(activities), isFirst: isFirst)
            return true
        } catch {
            browser.take(problem: Self.words(of: error))
            return false
        }
    }

    /// Without the path, of which the first line has the end.
    private static func words(of error: any Error) -> String {
        (error as? StoreError).map { "the store \($0.message)" } ?? "\(error)"
    }

    private func devices() throws -> [ScreenBrowser.Device] {
        var devices: [ScreenBrowser.Device] = []
        var places: [String: Int] = [:]
        for app in try store.apps(matching: nil, offset: 0, limit: Self.mostApps) {
            if let place = places[app.device] {
                devices[place].count += app.count
                if let badge = app.badge { devices[place].badge = (devices[place].badge ?? 0) &+ Int(clamping: badge) }
            } else {
                places[app.device] = devices.count
                devices.append(
                    ScreenBrowser.Device(name: app.device, count: app.count, badge: app.badge.map { Int(clamping: $0) })
                )
            }
        }
        return devices
    }
}
