import PushDevices
import PushModel
import PushPipeline

/// The outcomes of records and events, one per line: `3 held`, `4<3 discarded superseded`, `5 device applied`.
func story(
    _ records: [String], store: any DeliveryStore = MemoryStore(),
    _ configure: (inout PipelineConfiguration) -> Void = { _ in }
) throws -> [String] {
    try reportLines(records, store: store, configure) { report in
        var line = "\(report.seq)"
        if let target = report.message.target { line += ".\(target)" }
        if let original = report.note?.original { line += "<\(original)" }
        if let event = report.note?.event { line += " \(event)" }
        line += " \(report.outcome.name)"
        if let reason = report.reason, report.outcome != .silent { line += " \(reason)" }
        for step in report.note?.steps ?? [] { line += " [\(step)]" }
        if let decodeFailure = report.decodeFailure { line += " \(decodeFailure.rule)" }
        return line
    }
}

/// What `line` says about each line of the report; nothing where it is nil.
func reportLines(
    _ records: [String], store: any DeliveryStore, _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    line: (borrowing RecordReport) -> String?
) throws -> [String] {
    try reportRun(records, store: store, configure, line: line).lines
}

/// The same, with the summary of the run.
func reportRun(
    _ records: [String], store: any DeliveryStore, _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    line: (borrowing RecordReport) -> String?
) throws -> (lines: [String], summary: RunSummary) {
    var configuration = PipelineConfiguration()
    // 2023-11-14T22:13:20Z, plus a millisecond for each record.
    configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
    configure(&configuration)
    var lines: [String] = []
    let pipeline = Pipeline(configuration, deliveringTo: store)
    try pipeline.process(records.joined(separator: "\n")) { report in
        if let line = line(report) { lines.append(line) }
    }
    return (lines, pipeline.summary)
}

/// A visible push to an app on an Apple device.
func push(
    _ body: String = "Text", to device: String = "ab54", app: String = "org.example.news", headers: String = ""
) -> String {
    let headers = #""apns-topic":"\#(app)","apns-push-type":"alert""# + (headers.isEmpty ? "" : "," + headers)
    return #"{"device":"\#(device)","headers":{\#(headers)},"payload":{"aps":{"alert":"\#(body)"}}}"#
}

/// A push that only wakes the app.
func backgroundPush(to device: String = "ab54", app: String = "org.example.news") -> String {
    #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)","apns-push-type":"background","apns-priority":"5"},"#
        + #""payload":{"aps":{"content-available":1}}}"#
}

/// A message of data alone to an Android device.
func data(to device: String = "android", key: String? = nil, ttl: Int? = nil) -> String {
    var members = [#""to":"\#(device)""#, #""data":{"a":"1"}"#]
    if let key { members.append(#""collapse_key":"\#(key)""#) }
    if let ttl { members.append(#""time_to_live":\#(ttl)"#) }
    return "{" + members.joined(separator: ",") + "}"
}

/// An event of a device.
func device(_ members: String, of name: String = "ab54") -> String {
    #"{"event":"device","device":"\#(name)",\#(members)}"#
}

func away(_ name: String = "ab54", platform: Platform = .ios) -> String {
    device(#""platform":"\#(platform.rawValue)","online":false"#, of: name)
}

func back(_ name: String = "ab54") -> String { device(#""online":true"#, of: name) }

func advance(_ duration: String) -> String { #"{"event":"clock","advance":"\#(duration)"}"# }
