import PayloadJSON
import PushDecoding
import PushModel

/// Which messages a client of the API wants.
struct MessageFilter: Equatable {
    /// The values that one report line must have; nil for any.
    var outcome: String?
    var reason: String?
    var device: String?
    var app: String?
    var provider: String?
    /// Text that must occur in the request, the answer or the report. ASCII letters in either case.
    var text: String?

    static var parameters: [(name: String, path: WritableKeyPath<MessageFilter, String?>)] {
        [
            ("outcome", \.outcome), ("reason", \.reason), ("device", \.device), ("app", \.app),
            ("provider", \.provider), ("text", \.text),
        ]
    }

    /// Takes a parameter of a query.
    ///
    /// - Returns: false if it is not a filter's.
    /// - Throws: `APIError` for a value that nothing has.
    mutating func take(_ name: String, _ value: String) throws(APIError) -> Bool {
        guard let path = Self.parameters.first(where: { $0.name == name })?.path else { return false }
        if name == "outcome", !Self.outcomes.contains(value) {
            throw .badRequest("outcome is one of \(Self.outcomes.joined(separator: ", "))")
        }
        // A search may look at the whole log, and takes as long as both together.
        guard value.utf8.count <= Self.mostBytes else {
            throw .badRequest("\(name) has more than \(Self.mostBytes) bytes")
        }
        self[keyPath: path] = name == "device" ? DeviceToken.canonical(value) : value
        return true
    }

    private static let mostBytes = 256

    static let outcomes = Outcome.allCases.map(\.name.description)

    /// As a part of a query, with `&` in front of each parameter.
    var query: String {
        Self.parameters.map { name, path in
            self[keyPath: path].map { "&\(name)=\(APITarget.encoded($0))" } ?? ""
        }.joined()
    }

    func matches(_ message: LoggedMessage) -> Bool {
        if message.isRemoved { return false }
        if let text, !message.contains(text) { return false }
        let wanted = [outcome, reason, device, app, provider]
        return wanted.allSatisfy { $0 == nil } || message.reportLines.contains(where: matches)
    }

    private func matches(_ line: ArraySlice<UInt8>) -> Bool {
        Array(line).withJSON { root in
            func has(_ name: StaticString, _ text: String?) -> Bool {
                guard let text else { return true }
                return root[name]?.string?.string == text
            }
            let isOfDevice = device.map { DeviceToken.canonical(root["device"]?.string?.string ?? "") == $0 } ?? true
            return isOfDevice && has("outcome", outcome) && has("reason", reason) && has("provider", provider)
                && (has("topic", app) || has("app", app))
        } ?? false
    }
}

extension LoggedMessage {
    /// The report's lines, without their ends.
    var reportLines: [ArraySlice<UInt8>] { report.split(separator: UInt8(ascii: "\n")) }

    /// True if a text occurs in the request, the answer or the report.
    func contains(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return [Array(request.path.utf8), request.body, answer.body, report].contains {
            $0.contains(text) || $0.unescapedJSON?.contains(text) == true
        }
    }
}

extension [UInt8] {
    /// A JSON text with the characters that its escapes stand for; nil if it has no such escapes, or is no JSON.
    fileprivate var unescapedJSON: [UInt8]? {
        guard contains(UInt8(ascii: "\\")) else { return nil }
        return withJSON { root in
            let text = root.text
            // Outside strings, JSON has no backslash.
            return unsafe JSONString(start: text.start, count: text.count, hasEscapes: true).decodedBytes
        }
    }

    /// True if other bytes occur in these, ASCII letters in either case.
    fileprivate func contains(_ text: [UInt8]) -> Bool {
        guard let first = text.first?.inLowerCase else { return true }
        // Without checks of every index, because a search may look at 64 MiB. SOUND: both buffers live until the closures return, and
        // no index is beyond their ends.
        return unsafe withUnsafeBufferPointer { bytes in
            unsafe text.withUnsafeBufferPointer { text in
                var start = 0
                while start <= bytes.count - text.count {
                    if unsafe bytes[start].inLowerCase == first {
                        var length = 1
                        while unsafe length < text.count
                            && bytes[start + length].inLowerCase == text[length].inLowerCase
                        { length += 1 }
                        if length == text.count { return true }
                    }
                    start += 1
                }
                return false
            }
        }
    }
}

extension UInt8 {
    fileprivate var inLowerCase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
