import PayloadJSON

/// The parts of a report line that tests ask for.
package struct ReportedOutcome: Sendable, Equatable {
    package var outcome = ""
    package var reason: String?
    package var provider: String?
    package var device: String?
    /// The report's `topic` or `app`.
    package var app: String?
    package var identifier: String?
    /// The whole line, without its end.
    package var json = ""

    private init(_ line: JSONView) {
        func text(_ name: StaticString) -> String? { line[name]?.string?.string }
        outcome = text("outcome") ?? ""
        (reason, provider, device) = (text("reason"), text("provider"), text("device"))
        (app, identifier, json) = (text("topic") ?? text("app"), text("identifier"), line.text.string)
    }

    /// Of the lines of a report in NDJSON.
    static func list(_ report: [UInt8]) -> [ReportedOutcome] {
        report.split(separator: UInt8(ascii: "\n")).compactMap { line in Array(line).withJSON { ReportedOutcome($0) } }
    }

    /// Of the array `report` in an answer of the API.
    static func list(inAnswer body: [UInt8]) -> [ReportedOutcome] {
        body.withJSON { root in
            var found: [ReportedOutcome] = []
            guard var lines = root["report"]?.elements else { return found }
            while let line = lines.next() { found.append(ReportedOutcome(line)) }
            return found
        } ?? []
    }
}

extension LoggedMessage {
    package var outcomes: [ReportedOutcome] { ReportedOutcome.list(report) }
}
