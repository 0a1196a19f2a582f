import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushSystem
package import PushText

/// Lets a person look through a store in a terminal, while another process may write to it.
package enum ScreenBrowserJob {
    /// Shows a store in the terminal of standard input and output. Without one, its screens as plain text.
    ///
    /// - Parameters:
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
        let terminal = try FullScreen(input: .standardInput, output: .standardOutput)
        var session = BrowserSession(
            store, version: store.version, title: path, device: name, style: TextStyle(hasColors: style.hasColors),
            size: terminal.size)
        try session.run(on: terminal, isStopped: isStopped)
    }
}
