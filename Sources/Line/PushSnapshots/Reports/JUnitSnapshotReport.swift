import PushText

/// JUnit's XML: a case per input.
struct JUnitSnapshotReport {
    private static let name = "pushpipe snapshot"
    private var document = JUnitDocument(name, isCompact: true)

    mutating func add(_ result: SnapshotResult) {
        let message = result.message ?? result.status.rawValue
        let details = [message] + result.text + SnapshotChangeText.plainLines(of: result.changes)
        let text = details.joined(separator: "\n")
        document.addCase(
            ["name": result.input, "classname": Self.name],
            result.status.isDifference
                ? [.failure(type: result.status.rawValue, message: message, [text])]
                : result.status == .unreadable ? [.error(message)] : [])
    }

    func write(_ write: (String) -> Void) {
        var document = document
        document.endSuite(["name": Self.name])
        document.write(write)
    }
}
