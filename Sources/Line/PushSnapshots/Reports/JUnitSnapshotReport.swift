import PushText

/// JUnit's XML: a case per input.
struct JUnitSnapshotReport {
    private static let name = "pushpipe snapshot"
    private var document = JUnitDocument(name, isCompact: true)

    mutating func add(_ result: SnapshotResult) {
        let message = result.message ?? result.status.rawValue
        document.addCase(
            ["name": result.input, "classname": Self.name],
            result.status.isDifference
                ? [.failure(type: result.status.rawValue, message: message, [result.details])]
                : result.status == .unreadable ? [.error(message)] : [])
    }

    func write(_ write: (String) -> Void) {
        var document = document
        document.endSuite(["name": Self.name])
        document.write(write)
    }
}
