package import AppSimulation
package import PayloadJSON
package import PushModel

/// A wiki's answer to `action=query&meta=userinfo&uiprop=options`, as far as it is about pushes.
package enum UserinfoAnswer: Sendable {
    case options(UserOptions)
    /// The answer is about an anonymous user.
    case anonymous
    /// `{"error":{"code":…,"info":…}}`, which comes with HTTP status 200.
    case error(code: String, info: String)
    /// The text is not such an answer; explains why in plain words.
    case unreadable(String)

    /// The options about pushes among all options of a user.
    package struct UserOptions: Sendable {
        /// The user's name; nil when the answer does not contain it.
        package var user: String?
        package var on: Set<NotificationType> = []
        package var mentioned: Set<NotificationType> = []
        /// Values that are neither on nor off, which count as off.
        package var findings: [Finding] = []
    }
}

extension UserinfoAnswer {
    /// The rule id for a value that is neither on nor off.
    package static let valueRule = "preferences.option-value"

    /// Reads the text of an answer.
    ///
    /// - Throws: where it is not JSON.
    package init(parsing text: [UInt8]) throws(TextFault) {
        self = try TextFault.parsing(text) { $0.map(UserinfoAnswer.init) } ?? .unreadable("there is nothing in it")
    }

    /// Reads an answer of either format version. Options about anything but pushes are passed over. O(options).
    package init(_ root: JSONView) {
        guard root.isObject else {
            self = .unreadable("an object is expected")
            return
        }
        if let error = APIError(root) {
            self = .error(code: error.code, info: error.info)
            return
        }
        guard let user = root[pointer: "/query/userinfo"], user.isObject else {
            self = .unreadable("query.userinfo is missing; this is not an answer to meta=userinfo")
            return
        }
        // In format version 1 the member is an empty text, in 2 it is true.
        if let anonymous = user["anon"], anonymous.kind != .false {
            self = .anonymous
            return
        }
        guard let options = user["options"], options.isObject else {
            self = .unreadable("query.userinfo.options is missing; ask with uiprop=options")
            return
        }
        var found = UserOptions(user: user["name"]?.string?.string)
        for (key, value) in options.members {
            // If an option occurs twice, the last value counts, as everywhere.
            guard let type = NotificationType(option: key.string) else { continue }
            found.mentioned.insert(type)
            let isOn = Self.isOn(value)
            if isOn == true { found.on.insert(type) } else { found.on.remove(type) }
            if isOn == nil {
                found.findings.append(
                    Finding(
                        rule: Self.valueRule, severity: .warning,
                        pointer: "/query/userinfo/options/" + JSONPointer.escape(type.option),
                        message: "\(type.option) is neither on nor off; it counts as off".onOneLine))
            }
        }
        self = .options(found)
    }

    /// Nil when the value is neither. Source: API:Userinfo; a default set in code is a boolean, one from the site's
    /// configuration 0 or 1, and a stored user setting a text or 0.
    private static func isOn(_ value: JSONView) -> Bool? {
        switch value.kind {
        case .true: return true
        case .false, .null: return false
        case .number: return value.isOne ? true : value.double == 0 ? false : nil
        case .string:
            guard let text = value.string else { return nil }
            return text == "1" ? true : text == "0" || text == "" ? false : nil
        case .key, .array, .object: return nil
        }
    }
}

struct APIError {
    let code: String
    let info: String

    init?(_ root: JSONView) {
        guard let error = root["error"] else { return nil }
        code = error["code"]?.string?.string ?? "unknown"
        info = error["info"]?.string?.string ?? ""
    }
}

extension PreferencesStateMachine.Answer {
    /// Reads the text of an answer.
    ///
    /// - Throws: where it is not JSON.
    package init(parsing text: [UInt8]) throws(TextFault) {
        self = try TextFault.parsing(text) { $0.map { Self($0) } } ?? .lost
    }

    /// The answer to any of the machine's requests, in the form in which a wiki sends it; `lost` when it is something
    /// else.
    package init(_ root: JSONView) {
        if let error = APIError(root) {
            self = .error(code: error.code)
        } else if let token = root[pointer: "/query/tokens/csrftoken"]?.string {
            self = .token(token.string)
        } else if root[pointer: "/query/userinfo"] != nil {
            switch UserinfoAnswer(root) {
            case .options(let options): self = .userOptions(on: options.on)
            case .anonymous: self = .error(code: "notloggedin")
            case .error(let code, _): self = .error(code: code)
            case .unreadable: self = .lost
            }
        } else if let options = root["options"]?.string, options == "success" {
            self = .success(warnings: Self.warnings(root[pointer: "/warnings/options"]))
        } else {
            self = .lost
        }
    }

    /// Format version 1 calls the text `*`, version 2 `warnings`. Other forms may also name an option.
    private static func warnings(_ value: JSONView?) -> [String] {
        guard let value else { return [] }
        return [(value["warnings"] ?? value["*"])?.string?.string ?? value.text.string]
    }
}

/// An error in a text, and its place.
package struct TextFault: Error, Equatable {
    /// One line in plain words.
    package let message: String
    package let position: TextPosition

    /// Scans a text, and passes its value to `body`; nil when there is none.
    static func parsing<Result>(
        _ text: [UInt8], _ body: (JSONView?) -> Result?
    ) throws(TextFault) -> Result? {
        try text.withUnsafeBytes { text in
            Swift.Result { () throws(TextFault) in
                var scanner = JSONScanner()
                var tape = JSONTape()
                if let fault = scanner.scan(text, into: &tape) {
                    throw TextFault(
                        message: fault.message(in: text), position: TextPosition(of: fault.offset, in: text))
                }
                return body(tape.root(of: text))
            }
        }.get()
    }
}
