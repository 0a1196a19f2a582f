enum APIRoute: String, CaseIterable {
    case status, listMessages, removeMessages, getMessage, removeMessage, streamEvents
    case listDevices, getDevice, getScreens, getPicture, getJournal, addRecords, reset
    case getFaults, setFaults, removeFaults
    case lint, getRule
    case health, ready, liveness, metrics, openAPI

    /// The method; GET includes HEAD.
    var method: String {
        switch self {
        case .addRecords, .reset, .lint: "POST"
        case .setFaults: "PUT"
        case .removeFaults, .removeMessages, .removeMessage: "DELETE"
        default: "GET"
        }
    }

    /// A name in braces stands for one segment.
    var path: String {
        switch self {
        case .status: "/api/v1/status"
        case .listMessages, .removeMessages: "/api/v1/messages"
        case .getMessage, .removeMessage: "/api/v1/messages/{id}"
        case .streamEvents: "/api/v1/events"
        case .listDevices: "/api/v1/devices"
        case .getDevice: "/api/v1/devices/{device}"
        case .getScreens: "/api/v1/devices/{device}/screens"
        case .getPicture: "/api/v1/devices/{device}/screen.svg"
        case .getJournal: "/api/v1/journal"
        case .addRecords: "/api/v1/records"
        case .reset: "/api/v1/reset"
        case .getFaults, .setFaults, .removeFaults: "/api/v1/faults"
        case .lint: "/api/v1/lint"
        case .getRule: "/api/v1/rules/{rule}"
        case .openAPI: "/api/v1/openapi.json"
        case .health: "/api/v1/health"
        case .ready: "/api/v1/ready"
        case .liveness: "/healthz"
        case .metrics: "/metrics"
        }
    }

    /// True if it says nothing that is worth a key, so that probes need none.
    var isOpen: Bool { self == .health || self == .ready || self == .liveness }

    /// True if it takes parameters, each of which is checked. What probes and Prometheus ask may carry theirs, which say nothing here.
    var takesParameters: Bool {
        switch self {
        case .listMessages, .removeMessages, .streamEvents, .listDevices, .getScreens, .getPicture, .getJournal: true
        case .health, .ready, .liveness, .metrics: true
        default: false
        }
    }

    var isChange: Bool { method != "GET" && self != .lint }

    /// The values of the names in the path; nil for another path.
    func values(in segments: [String]) -> [String]? {
        let pattern = path.split(separator: "/")
        guard pattern.count == segments.count else { return nil }
        var values: [String] = []
        for (part, segment) in zip(pattern, segments) {
            if part.hasPrefix("{") {
                values.append(segment)
            } else if part != segment {
                return nil
            }
        }
        return values
    }
}
