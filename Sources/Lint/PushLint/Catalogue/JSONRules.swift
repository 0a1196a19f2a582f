import PushModel

extension Rule {
    private static func json(
        _ id: String, _ title: String, why: String, failing: String, passing: String = Example.alert,
        isFixable: Bool = true
    ) -> Rule {
        Rule(
            "json.\(id)", .error, title, why: why, source: .json, failing: failing, passing: passing,
            isFixable: isFixable)
    }

    static let jsonSyntax = json(
        "syntax", "the text is not JSON",
        why:
            "A parser stops here, and the record is not delivered. What APNs answers to a body that is not JSON is not documented.",
        failing: #"{"aps":{"alert":@}}"#, isFixable: false)
    static let jsonTrailingComma = json(
        "trailing-comma", "a comma before a closing bracket",
        why: "JSON has commas between values only; JavaScript is more lenient.",
        failing: #"{"aps":{"alert":"Polls close at 18:00",}}"#)
    static let jsonSingleQuotes = json(
        "single-quotes", "a string in single quotes",
        why:
            "JSON strings have double quotes. Single ones come from printing a dictionary of Python or JavaScript.",
        failing: #"{'aps':{'alert':'Polls close at 18:00'}}"#)
    static let jsonBareKey = json(
        "bare-key", "a member name without quotes",
        why: "JSON names are strings; a JavaScript object literal may leave the quotes out.",
        failing: #"{aps:{alert:"Polls close at 18:00"}}"#)
    static let jsonMissingComma = json(
        "missing-comma", "no comma between two values",
        why: "Members and elements are separated by commas, across lines too.",
        failing: #"{"aps":{"alert":"Polls close at 18:00" "badge":1}}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00","badge":1}}"#)
    static let jsonMissingColon = json(
        "missing-colon", "no colon between a name and its value", why: "A name is followed by a colon, not by = or =>.",
        failing: #"{"aps":{"alert"="Polls close at 18:00"}}"#)
    static let jsonComment = json(
        "comment", "a comment", why: "JSON has no comments. A service that reads the body refuses it or stops there.",
        failing: "{\"aps\":{/* a test */\"alert\":\"Polls close at 18:00\"}}")
    static let jsonSmartQuotes = json(
        "smart-quotes", "typographic quotes in place of straight ones",
        why: "Word processors and chat programs turn \" into “ and ”, which JSON does not know.",
        failing: "{“aps”:{“alert”:“Polls close at 18:00”}}")
    static let jsonLiteral = json(
        "literal", "a word that JSON does not have",
        why:
            "JSON knows true, false and null, in lower case. True, None and NaN come from printing values of a programming language.",
        failing: #"{"aps":{"alert":"Polls close at 18:00","content-changed":True}}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00","content-changed":true}}"#)
    static let jsonControlCharacter = json(
        "control-character", "a line break, tab or other control character inside a string",
        why: "Control characters are written as escapes: \\n, \\t, \\u0007.",
        failing: "{\"aps\":{\"alert\":\"Polls close\tat 18:00\"}}",
        passing: #"{"aps":{"alert":"Polls close\tat 18:00"}}"#)
    static let jsonBadEscape = json(
        "bad-escape", "an escape that JSON does not have",
        why:
            "A backslash is followed by \" \\ / b f n r t, or by u and four hexadecimal digits. Apple says that the \\U notation is not supported.",
        failing: #"{"aps":{"alert":"It\'s time to vote"}}"#, passing: #"{"aps":{"alert":"It's time to vote"}}"#)
    static let jsonNumberForm = json(
        "number-form", "a number in a form that JSON does not have",
        why: "A number has no plus sign and no leading zeros, and digits on both sides of its point.",
        failing: #"{"aps":{"alert":"Polls close at 18:00","badge":+1}}"#,
        passing: #"{"aps":{"alert":"Polls close at 18:00","badge":1}}"#)
    static let jsonUnclosed = json(
        "unclosed", "a string, object or array that is not closed",
        why: "The text was cut off, or a closing bracket or quote is missing or of the wrong kind.",
        failing: #"{"aps":{"alert":"Polls close at 18:00"}"#, isFixable: false)
    static let jsonExtra = json(
        "extra-content", "something after the value", why: "A record is one JSON value, and nothing may follow it.",
        failing: #"{"aps":{"alert":"Polls close at 18:00"}}}"#, isFixable: false)
    static let jsonUnescapedQuotes = json(
        "unescaped-quotes", "JSON inside a string whose quotes are not escaped",
        why:
            "JSON in a string is text: each quote in it is written \\\", and each backslash twice. Amazon SNS expects payloads in this form.",
        failing: #"{"default":"Hi","APNS":"{"aps":{"alert":"Hi"}}"}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#)
    static let jsonInvalidUTF8 = Rule(
        "json.invalid-utf8", .error, "bytes that are not UTF-8",
        why:
            "JSON between systems is UTF-8. Bytes of another encoding, such as Latin-1, are refused or shown as question marks.",
        source: .json, failing: "", passing: Example.alert, scope: .run)
    static let jsonTooDeep = Rule(
        "json.too-deep", .error, "more than 512 levels of arrays and objects",
        why: "No push needs it, readers have limits of their own, and deep nesting is a way to attack them.",
        source: .json,
        failing: #"{"aps":{"alert":"Deep"},"tree":"# + String(repeating: "[", count: 520)
            + String(repeating: "]", count: 520) + "}",
        passing: Example.alert)
    static let jsonDuplicateKey = Rule(
        "json.duplicate-key", .warning, "a name occurs more than once in its object",
        why: "Readers keep the first value, the last one, or refuse the text. The emulated services use the last.",
        source: .json,
        failing: #"{"aps":{"alert":"Early count","alert":"Late count"}}"#, passing: #"{"aps":{"alert":"Late count"}}"#)
    static let jsonNumberOutOfRange = Rule(
        "json.number-out-of-range", .warning, "a number that fits neither 64 bits nor a double",
        why: "Readers round it or refuse the text. Send it as a string.", source: .json,
        failing: #"{"aps":{"alert":"Votes so far"},"votes":77777777777777777777777}"#,
        passing: #"{"aps":{"alert":"Votes so far"},"votes":"77777777777777777777777"}"#)
    static let jsonLoneSurrogate = Rule(
        "json.lone-surrogate", .warning, "half of a surrogate pair",
        why:
            "A character beyond U+FFFF is written as two escapes, \\ud83d\\uddf3. One half is not a character; it is left when a text is cut by length.",
        source: .json, failing: #"{"aps":{"alert":"Vote \ud83d"}}"#, passing: #"{"aps":{"alert":"Vote \ud83d\uddf3"}}"#)
    static let jsonNulInKey = Rule(
        "json.nul-in-key", .warning, "a NUL in a member name", why: "For many readers the name ends there.",
        source: .json,
        failing: #"{"aps":{"alert":"Late count"},"vo\u0000tes":1}"#,
        passing: #"{"aps":{"alert":"Late count"},"votes":1}"#)
    static let jsonRelaxed = Rule(
        "json.relaxed", .info, "read as JSON although it is not",
        why:
            "With --relaxed, single quotes, bare names and trailing commas are read as they were meant. Services do not read them this way.",
        source: .json, failing: #"{"aps":{"alert":"Polls close at 18:00",}}"#, passing: Example.alert, scope: .run)

    static let jsonRules = [
        jsonSyntax, jsonTrailingComma, jsonSingleQuotes, jsonBareKey, jsonMissingComma, jsonMissingColon, jsonComment,
        jsonSmartQuotes, jsonLiteral, jsonControlCharacter, jsonBadEscape, jsonNumberForm, jsonUnclosed, jsonExtra,
        jsonUnescapedQuotes, jsonInvalidUTF8, jsonTooDeep, jsonDuplicateKey, jsonNumberOutOfRange, jsonLoneSurrogate,
        jsonNulInKey, jsonRelaxed,
    ]
}

extension JSONRepair.Kind {
    /// The rule that a slip of the pen breaks.
    var rule: Rule {
        switch self {
        case .trailingComma: .jsonTrailingComma
        case .singleQuotes: .jsonSingleQuotes
        case .bareKey: .jsonBareKey
        case .missingComma: .jsonMissingComma
        case .missingColon: .jsonMissingColon
        case .comment: .jsonComment
        case .smartQuotes: .jsonSmartQuotes
        case .literal: .jsonLiteral
        case .controlCharacter: .jsonControlCharacter
        case .badEscape: .jsonBadEscape
        case .numberForm: .jsonNumberForm
        case .unclosed: .jsonUnclosed
        case .extraClose: .jsonExtra
        case .unescapedQuotes: .jsonUnescapedQuotes
        case .other: .jsonSyntax
        }
    }
}
