import PushJSON
import PushJSONRepair
import PushModel

/// JSON as such: malformed texts, and texts that parsers read differently.
struct JSONRules: RuleCheck {
    static let rules = [
        syntax, trailingComma, singleQuotes, bareKey, missingComma, missingColon, comment, smartQuotes, literal,
        controlCharacter, badEscape, numberForm, unclosed, extra, unescapedQuotes, invalidUTF8, tooDeep, duplicateKey,
        numberOutOfRange, loneSurrogate, nulInKey, relaxed, byteOrderMark,
    ]
    let run: LintRun

    // MARK: - Texts that are not JSON

    /// Reports what is wrong with a text that is not JSON, and returns its repair; nil if none is attempted.
    func check(_ fault: JSONFault, in bytes: UnsafeRawBufferPointer, of text: LintText) -> JSONRepair? {
        // SOUND: the caller vouches for the bytes, which the fault was found in.
        func add(_ rule: Rule, _ message: String, _ range: Range<Int>, edits: [TextEdit] = []) {
            run.add(
                Diagnostic(
                    rule: rule, message: message, pointer: text.pointer, range: text.recordRange(range),
                    edits: edits.map(text.recordEdit)))
        }
        if text.pointer.isEmpty, let foreign = unsafe ForeignText(bytes) {
            add(RecordRules.notText, foreign.message, 0..<min(1, bytes.count))
            return nil
        }
        let repair = unsafe fault.kind == .invalidUTF8 || fault.kind == .tooDeep ? nil : JSONRepair(bytes)
        let problems = repair?.problems ?? []
        for problem in problems {
            let rule = Rule.named(problem.kind.rawValue) ?? Self.syntax
            add(rule, problem.message, problem.range, edits: problem.isSafe ? problem.edits : [])
        }
        if problems.isEmpty {
            let offset = min(fault.offset, bytes.count)
            unsafe add(
                Rule.named(fault.rule.description) ?? Self.syntax, fault.message(in: bytes),
                offset..<min(offset + 1, bytes.count))
        }
        return repair
    }

    /// Reads the contents of a string as JSON, and reports what is wrong with it; nil if it is not JSON.
    func open(_ node: LintNode) -> LintNode? {
        // SOUND: the bytes live as long as `inner`.
        guard node.string?.count ?? 0 > 0, let inner = node.inner else { return nil }
        if let fault = inner.fault, !run.isFull { _ = unsafe check(fault, in: inner.allBytes, of: inner) }
        return inner.root
    }

    private static func rule(
        _ id: String, _ title: String, _ explanation: String, failing: String, passing: String = Example.alert,
        isFixable: Bool = true
    ) -> Rule {
        Rule(id, .error, title, explanation, source: .json, failing: failing, passing: passing, isFixable: isFixable)
    }

    static let syntax = rule(
        "json.syntax", "text that is not JSON",
        "A parser stops here, and the record is not delivered. How APNs answers a body that is not JSON is not documented.",
        failing: #"{"aps":{"alert":@}}"#, isFixable: false)
    static let trailingComma = rule(
        "json.trailing-comma", "a comma before a closing bracket",
        "JSON has commas only between values. JavaScript is more lenient.",
        failing: #"{"aps":{"alert":"Polls close at 18:00",}}"#)
    static let singleQuotes = rule(
        "json.single-quotes", "a string in single quotes",
        "JSON strings have double quotes. Single quotes come from printing a dictionary in Python or JavaScript.",
        failing: #"{'aps':{'alert':'Polls close at 18:00'}}"#)
    static let bareKey = rule(
        "json.bare-key", "a member name without quotes",
        "Names in JSON are strings. Only a JavaScript object literal can omit the quotes.",
        failing: #"{aps:{alert:"Polls close at 18:00"}}"#)
    static let missingComma = rule(
        "json.missing-comma", "no comma between two values",
        "Commas separate members and elements, across lines too.",
        failing: #"{"aps":{"alert":"Polls close at 18:00" "badge":1}}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00","badge":1}}"#)
    static let missingColon = rule(
        "json.missing-colon", "no colon between a name and its value", "A colon follows a name, not = or =>.",
        failing: #"{"aps":{"alert"="Polls close at 18:00"}}"#, isFixable: false)
    static let comment = rule(
        "json.comment", "a comment", "JSON has no comments. A service that reads the body refuses it or stops there.",
        failing: "{\"aps\":{/* a test */\"alert\":\"Polls close at 18:00\"}}")
    static let smartQuotes = rule(
        "json.smart-quotes", "typographic quotes instead of straight ones",
        "Word processors and chat programs turn \" into “ and ”, which are not JSON quotes.",
        failing: "{“aps”:{“alert”:“Polls close at 18:00”}}")
    static let literal = rule(
        "json.literal", "a word that is not JSON",
        "JSON has true, false and null, in lower case. True, None and NaN come from printing values in a programming language.",
        failing: #"{"aps":{"alert":"Polls close at 18:00"},"final":True}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00"},"final":true}"#)
    static let controlCharacter = rule(
        "json.control-character", "a line break, tab or other control character inside a string",
        "Control characters must be escaped: \\n, \\t, \\u0007.",
        failing: "{\"aps\":{\"alert\":\"Polls close\tat 18:00\"}}",
        passing: #"{"aps":{"alert":"Polls close\tat 18:00"}}"#)
    static let badEscape = rule(
        "json.bad-escape", "an escape that is not JSON",
        "A backslash is followed by \" \\ / b f n r t, or by u and four hexadecimal digits. Apple says that the \\U notation is not supported.",
        failing: #"{"aps":{"alert":"It\'s time to vote"}}"#, passing: #"{"aps":{"alert":"It's time to vote"}}"#)
    static let numberForm = rule(
        "json.number-form", "a number whose form is not JSON",
        "A number has no plus sign, no leading zeros, and digits on both sides of the decimal point.",
        failing: #"{"aps":{"alert":"Polls close at 18:00","badge":+1}}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00","badge":1}}"#, isFixable: false)
    static let unclosed = rule(
        "json.unclosed", "a string, object or array that is not closed",
        "The text was cut off, or a closing bracket or quote is missing or does not match.",
        failing: #"{"aps":{"alert":"Polls close at 18:00"}"#, isFixable: false)
    static let extra = rule(
        "json.extra-content", "something after the value", "A record is one JSON value. Nothing may follow it.",
        failing: #"{"aps":{"alert":"Polls close at 18:00"}}}"#, isFixable: false)
    static let unescapedQuotes = rule(
        "json.unescaped-quotes", "JSON inside a string, with quotes that are not escaped",
        "JSON in a string is text: write each quote in it as \\\", and each backslash twice. Amazon SNS expects payloads in this form.",
        failing: #"{"default":"Hi","APNS":"{"aps":{"alert":"Hi"}}"}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#)
    static let invalidUTF8 = Rule(
        "json.invalid-utf8", .error, "bytes that are not UTF-8",
        "JSON exchanged between systems is UTF-8. Bytes in another encoding, such as Latin-1, are refused or shown as question marks.",
        source: .json, failing: "", passing: Example.alert, scope: .run)
    static let tooDeep = Rule(
        "json.too-deep", .error, "more than 512 levels of arrays and objects",
        "No push needs so many levels. Readers have limits, and deep nesting can be an attack.", source: .json,
        failing: #"{"aps":{"alert":"Deep"},"tree":"# + Example.repeated("[", 520)
            + Example.repeated("]", 520) + "}", passing: Example.alert)

    /// Reported by `TextWorker`, because it stands before the first record.
    static let byteOrderMark = Rule(
        "json.byte-order-mark", .warning, "a byte-order mark before the first record",
        "JSON sent to a service must not begin with a byte-order mark, and the service may refuse it. The linter and run skip the mark. Save the file as UTF-8 without BOM.",
        source: .json, failing: "", passing: Example.alert, scope: .run)

    // MARK: - What the decoder reports

    static let duplicateKey = Rule(
        "json.duplicate-key", .warning, "a name that occurs more than once in its object",
        "Readers keep the first value or the last one, or refuse the text. The emulated services use the last value.",
        source: .json, failing: #"{"aps":{"alert":"Early count","alert":"Late count"}}"#,
        passing: #"{"aps":{"alert":"Late count"}}"#)
    static let numberOutOfRange = Rule(
        "json.number-out-of-range", .warning, "a number that fits neither 64 bits nor a double",
        "Readers round it or refuse the text. Send it as a string.", source: .json,
        failing: #"{"aps":{"alert":"Votes so far"},"votes":77777777777777777777777}"#,
        passing: #"{"aps":{"alert":"Votes so far"},"votes":"77777777777777777777777"}"#)
    static let loneSurrogate = Rule(
        "json.lone-surrogate", .warning, "half of a surrogate pair",
        "A character beyond U+FFFF is written as two escapes, such as \\ud83d\\uddf3. Half of a pair is not a character. It is left when a text is cut by length.",
        source: .json, failing: #"{"aps":{"alert":"Vote \ud83d"}}"#, passing: #"{"aps":{"alert":"Vote \ud83d\uddf3"}}"#)
    static let nulInKey = Rule(
        "json.nul-in-key", .warning, "a NUL in a member name", "Many readers end the name there.", source: .json,
        failing: #"{"aps":{"alert":"Late count"},"vo\u0000tes":1}"#,
        passing: #"{"aps":{"alert":"Late count"},"votes":1}"#)

    /// Reported by `RecordLinter`, which reads the text as it was meant.
    static let relaxed = Rule(
        "json.relaxed", .info, "text read as JSON although it is not",
        "With input.relaxed, pushpipe accepts single quotes, bare names and trailing commas. Services do not.",
        source: .json, failing: #"{"aps":{"alert":"Polls close at 18:00",}}"#, passing: Example.alert, scope: .run)
}
