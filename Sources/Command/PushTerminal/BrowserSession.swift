import PushDevices
import PushModel
import PushReports
import PushRuns
import PushSQLite
import PushSystem
package import PushText

/// A person at a terminal who looks through a store: what was read of it, what is drawn, and which keys were pressed.
struct BrowserSession {
    private let store: any BrowsableStore
    /// A number that changes when something has written to the store.
    private let version: () throws -> Int64
    /// The whole name of the device to begin with; nil for the first.
    private let device: String?
    var browser: ScreenBrowser
    private var keys = KeyReader()
    /// The version of the store that was read; nil if it could not be read.
    private var seen: Int64?
    private var frame: [String] = []
    /// Looks since the list of devices was read.
    private var turns = BrowserSession.turnsBetweenLists
    private var isListOld = false

    /// The number of looks after which the list of devices is read again, if the store has changed: 2 s at five per second.
    private static let turnsBetweenLists = 10
    /// How often the store is asked whether it has changed, and how long an escape may take to become a sequence.
    static let milliseconds: Int32 = 200
    /// Apps on devices that are listed at most, and notifications of a device that are drawn.
    private static let mostApps = 10_000
    private static let mostNotifications = 200

    /// Reads the store.
    ///
    /// - Parameter title: the store's name on the screen.
    init(
        _ store: any BrowsableStore, version: @escaping () throws -> Int64, title: String, device: String?,
        style: TextStyle, size: (columns: Int, rows: Int)
    ) {
        self.store = store
        self.version = version
        self.device = device
        browser = ScreenBrowser(title: title, style: style, columns: size.columns, rows: size.rows)
        // The first change is shown at once.
        seen = read(isFirst: true)
    }

    /// Runs until the person quits, the input ends, or `isStopped` returns true.
    ///
    /// - Throws: errors of the terminal. A store that cannot be read is said on the last line, and tried again.
    mutating func run(on terminal: some BrowserTerminal, isStopped: () -> Bool) throws {
        while !isStopped() {
            try draw(on: terminal)
            guard let bytes = try terminal.read(milliseconds: Self.milliseconds, orUntil: nil) else { return }
            if take(bytes) { return }
            if bytes.isEmpty { look() }
        }
    }

    /// Shows what was read, if that is not shown yet.
    mutating func draw(on terminal: some BrowserTerminal) throws {
        (browser.columns, browser.rows) = terminal.size
        let lines = browser.lines
        guard lines != frame else { return }
        try terminal.show(lines)
        frame = lines
    }

    /// Carries out what keys ask for.
    ///
    /// - Parameter bytes: empty if no key was pressed for a moment.
    /// - Returns: true if the person quits.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        for command in keys.commands(bytes, isEnd: bytes.isEmpty) {
            if command == .quit { return true }
            if browser.handle(command) { readScreen(isFirst: true) }
        }
        return false
    }

    /// Reads what has changed. Ask some times per second. The list of devices may be long, and changes less often than what they show.
    mutating func look() {
        turns += 1
        let current = try? version()
        let isChanged = current != seen
        if seen == nil || turns >= Self.turnsBetweenLists && (isChanged || isListOld) {
            readAgain()
        } else if isChanged {
            isListOld = true
            seen = readScreen(isFirst: false) ? current : nil
        }
    }

    mutating func readAgain() {
        turns = 0
        isListOld = false
        seen = read(isFirst: false)
    }

    /// Returns the version that was read; nil if the store could not be read.
    private mutating func read(isFirst: Bool) -> Int64? {
        do {
            let version = try version()
            let before = browser.device
            var devices = try devices()
            if let device, !devices.contains(where: { $0.name == device }) {
                devices.insert(ScreenBrowser.Device(name: device, count: 0), at: 0)
            }
            browser.take(devices)
            if isFirst, let device { _ = browser.select(device) }
            return readScreen(isFirst: isFirst || browser.device != before) ? version : nil
        } catch {
            browser.take(problem: Self.words(of: error))
            return nil
        }
    }

    @discardableResult
    private mutating func readScreen(isFirst: Bool) -> Bool {
        guard let device = browser.device else { return true }
        do {
            var newest = try store.newest(on: device, app: nil, before: .max, limit: Self.mostNotifications)
            try AndroidScreens(store, device: device).see(&newest)
            let activities = try store.liveActivities(device: device, app: nil).filter { $0.state != .dismissed }
            let previews = HiddenPreviews(try store.registered(on: device))
            browser.take(
                previews.seen(newest.map(\.notification)), LiveActivity.inOrderOfRelevance(activities),
                isFirst: isFirst)
            return true
        } catch {
            browser.take(problem: Self.words(of: error))
            return false
        }
    }

    /// The words of an error without the path, whose end is on the first line.
    private static func words(of error: any Error) -> String {
        (error as? StoreError).map { "the store \($0.message)" } ?? "\(error)"
    }

    private func devices() throws -> [ScreenBrowser.Device] {
        var devices: [ScreenBrowser.Device] = []
        var places: [String: Int] = [:]
        for app in try store.apps(matching: nil, offset: 0, limit: Self.mostApps) {
            let place = places[app.device] ?? devices.count
            if place == devices.count {
                places[app.device] = place
                devices.append(ScreenBrowser.Device(name: app.device, count: 0))
            }
            devices[place].count += app.count
            // A badge of 0 is no number on an icon.
            if let badge = app.badge, badge != 0 {
                devices[place].badges.append(ScreenBrowser.Badge(app: app.app, number: badge))
            }
        }
        return devices
    }
}

/// Lets a person look through a store in a terminal, while another process may write to it.
package enum ScreenBrowserJob {
    /// Shows a store in the terminal of standard input and output. Without one, its screens as plain text.
    ///
    /// - Parameters:
    ///   - device: the beginning of the name of the device to begin with; nil for the first.
    ///   - plain: writes a part of the plain text.
    /// - Throws: `StoreError`, `NameError`, `SystemError`, errors of `plain`.
    package static func show(
        _ path: String, device: String?, style: TextStyle, isStopped: () -> Bool, plain: (String) throws -> Void
    ) throws {
        TemporaryFiles.keep(beside: path)
        let name = try device.map { try SQLiteStore.openByDevice(path: path).device(named: $0) }
        let store = try SQLiteStore(following: path)
        guard Terminal.isTerminal(.standardInput), Terminal.isTerminal(.standardOutput), Terminal.movesCursor else {
            return try ScreenReport(style: style).write(store, device: name, to: plain)
        }
        let terminal = try FullScreen(input: .standardInput, output: .standardOutput)
        var session = BrowserSession(
            store, version: store.version, title: path, device: name, style: TextStyle(hasColors: style.hasColors),
            size: terminal.size)
        try session.run(on: terminal, isStopped: isStopped)
    }
}
