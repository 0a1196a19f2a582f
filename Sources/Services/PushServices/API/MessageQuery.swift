/// Which messages a list has, and how long to wait for them.
struct MessageQuery: Equatable {
    var filter = MessageFilter()
    /// Only messages with greater ids, from the oldest one on.
    var after: UInt64?
    /// Only messages with smaller ids; without `after` up to the newest one.
    var before: UInt64?
    /// How many at most.
    var limit = 100
    /// In seconds; nil to answer at once.
    var wait: Double?
    /// How many messages end the wait.
    var count = 1

    static let maximumLimit = 1000
    /// Five minutes.
    static let maximumWait = 300.0

    /// - Throws: `APIError` for a parameter that there is not, or a value out of range.
    init(_ parameters: [(name: String, value: String)]) throws(APIError) {
        for (name, value) in parameters {
            switch name {
            case "after": after = try Self.number(name, value)
            case "before": before = try Self.number(name, value)
            case "limit": limit = try Self.number(name, value, 1...Self.maximumLimit)
            case "count": count = try Self.number(name, value, 1...Self.maximumLimit)
            case "wait": wait = try Self.seconds(name, value, most: Self.maximumWait)
            default:
                guard try filter.take(name, value) else {
                    throw .unknownParameter(name, of: Self.names)
                }
            }
        }
        limit = max(limit, wait == nil ? 1 : count)
    }

    static let names = MessageFilter.parameters.map(\.name) + ["after", "before", "limit", "wait", "count"]

    /// - Parameter what: of what the number is.
    static func number(
        _ name: String, _ value: String, _ what: String = "a message's id"
    ) throws(APIError) -> UInt64 {
        guard let number = UInt64(value), number <= greatest else {
            throw .badRequest("\(name) is \(what), a number from 0")
        }
        return number
    }

    /// The greatest id that can be asked for. No log has as many, and the next number is one that can be counted, too.
    static let greatest = UInt64(Int64.max)
    static let line = "the id of a journal line"

    static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw .badRequest("\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `5s`, `500ms`, `2m`, or a number of seconds.
    static func seconds(_ name: String, _ value: String, most: Double) throws(APIError) -> Double {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)]
        for (suffix, unit) in units where value.hasSuffix(suffix) {
            let digits = value.dropLast(suffix.count)
            guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(digits) else {
                break
            }
            guard number * unit <= most else { break }
            return number * unit
        }
        throw .badRequest("\(name) is a time such as 5s, 500ms or 2m, and at most \(Int(most))s")
    }

    func page(of log: MessageLog) -> MessagePage {
        var page = MessagePage(messages: [], isFirst: true, isLast: true)
        if let after {
            for message in log.messages(after: after) where message.id < before ?? .max && filter.matches(message) {
                guard page.messages.count < limit else {
                    page.isLast = false
                    break
                }
                page.messages.append(message)
            }
            page.isFirst = after < log.firstID
        } else {
            let candidates = before.map { log.messages(before: $0) } ?? log.all
            for message in candidates.reversed() where filter.matches(message) {
                guard page.messages.count < limit else {
                    page.isFirst = false
                    break
                }
                page.messages.append(message)
            }
            page.messages.reverse()
            page.isLast = before == nil
        }
        return page
    }
}

struct MessagePage {
    /// Oldest first.
    var messages: [LoggedMessage]
    /// True if no older ones match; false also if that is not known.
    var isFirst: Bool
    /// True if no newer ones match.
    var isLast: Bool
}
