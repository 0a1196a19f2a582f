/// A piece of text in both spellings that JSON allows, prepared once.
struct Fragment: Sendable {
    /// Raw UTF-8.
    let raw: [UInt8]
    /// The text with everything outside ASCII as `\uXXXX`, and surrogate pairs beyond the basic plane.
    let escaped: [UInt8]

    /// `utf8` must have no quote, backslash or control character.
    init(utf8: some Sequence<UInt8>) {
        raw = Array(utf8)
        var escaped: [UInt8] = []
        for unit in String(decoding: raw, as: UTF8.self).utf16 {
            let text: JSONText = #"\u\#(hex: UInt64(unit), 4)"#
            escaped += unit < 0x80 ? [UInt8(truncatingIfNeeded: unit)] : text.bytes
        }
        self.escaped = escaped
    }

    func spelled(by voice: Voice) -> [UInt8] { voice.escapes ? escaped : raw }

    /// The parts of `text` between the separators.
    static func list(_ text: String, separator: UInt8 = UInt8(ascii: "|")) -> [Fragment] {
        text.utf8.split(separator: separator).map { Fragment(utf8: $0) }
    }
}

/// Phrases of one language, and the text between and after them.
struct Script: Sendable {
    let phrases: [Fragment]
    let joint: Fragment
    let stop: Fragment

    init(_ phrases: String, joint: String = ". ", stop: String = ".") {
        self.phrases = Fragment.list(phrases)
        self.joint = Fragment(utf8: joint.utf8)
        self.stop = Fragment(utf8: stop.utf8)
    }
}

/// How a record spells its texts.
struct Voice {
    /// Index into ``Vocabulary/scripts``.
    var script: Int
    /// True to write `\uXXXX` instead of raw UTF-8.
    var escapes: Bool
    /// True if the text has some of the escaped characters in `Voice.marks`.
    var marks: Bool

    static let marks = [#"\""#, #"\\"#, #"\/"#, #"\t"#, #"\n"#]
}

/// The phrases. Changing one changes the bytes of every seed, and fails the test of the pinned digest.
struct Vocabulary: Sendable {
    static let shared = Vocabulary()

    /// Half of the records use the first one.
    let scripts = [
        Script(
            """
            Your order is on its way|Meeting moved to Monday at noon|New message from the team|Storm warning|It's 2-1\
            |Goal scored in the last minute|Invoice paid, thank you|Ana shared 3 photos with you|Tickets are available\
            |Your table is booked for 8 pm|Someone signed in from a new device|The match begins in 15 minutes
            """),
        Script(
            """
            Grüße aus München|Die Lieferung verspätet sich heute|Größere Änderung für Ihren Flug|Überweisung bestätigt\
            |Neue Nachricht über die Straßensperre|Das Bürgerbüro öffnet früher|Jörg hat „Fußball“ kommentiert
            """, joint: " – ", stop: "!"),
        Script(
            """
            Votre commande a été expédiée|Réunion déplacée à jeudi après-midi|Résultats de l’élection\
            |Ça commence bientôt|L’équipe a gagné 3 à 0|Événement très proche : la fête du café|Nouveau message reçu
            """, stop: " !"),
        Script(
            """
            Новое сообщение|Ваш заказ доставлен|Встреча перенесена на пятницу|Завтра дождь|Матч окончен, счёт 2:1\
            |Билеты ещё доступны|Срочные новости
            """),
        Script(
            """
            رسالة جديدة من فريق العمل|تم شحن طلبك اليوم|اجتماع غدا صباحا|أخبار عاجلة|نتيجة المباراة 2-1|شكرا لك
            """, joint: "، "),
        Script(
            """
            नया संदेश|आपका ऑर्डर भेज दिया गया|बैठक कल सुबह है|ताज़ा समाचार|मौसम की चेतावनी|भुगतान सफल, धन्यवाद
            """, joint: "। ", stop: "।"),
        Script("您的订单已发货|会议改到星期三下午|新消息|突发新闻|天气预警|比赛结束,三比一|支付成功,谢谢|𠮷野家今日优惠", joint: "。", stop: "。"),
        Script("新しいメッセージが届きました|ご注文を発送しました|会議は明日に変更|速報|試合終了|お支払いが完了しました", joint: "。", stop: "。"),
    ]
    /// Modifiers, flags and zero-width joiners: a single grapheme cluster has up to 25 bytes here.
    let emoji = Fragment.list("🎉|🔥|⚽|❤️|👍🏽|🇩🇪|👩‍💻|👨‍👩‍👧‍👦|🏳️‍🌈|🧑‍🚀|🐻‍❄️|📬")
    /// Bundle identifiers that are valid package names too.
    let apps = Fragment.list(
        "org.example.news|org.example.chat|org.example.shop|org.example.sports|org.example.calendar")
    /// Plain ASCII names for topics, categories, threads and so on.
    let names = Fragment.list("news|sports|weather|mail|score|offer|social|travel|security|update")
    /// FCM's `ttl`, up to its limit of four weeks.
    let lifetimes = Fragment.list("0s|3.5s|60s|3600s|7200s|14400s|86400s|172800s|604800s|2419200s")
    /// Apple's `interruption-level`, except `critical`, which needs a special entitlement.
    let levels = Fragment.list("passive|active|time-sensitive")

    private init() {}
}

/// Bytes of JSON, put together as an interpolated string: `#","badge":\#(number)"#`.
struct JSONText: ExpressibleByStringInterpolation {
    var bytes: [UInt8] = []

    init() {}

    init(stringLiteral text: String) { bytes = Array(text.utf8) }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    struct StringInterpolation: StringInterpolationProtocol {
        private static let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            // A phrase is rarely longer than this.
            bytes.reserveCapacity(literalCapacity + 48 * interpolationCount)
        }

        mutating func appendLiteral(_ text: String) { bytes.append(contentsOf: text.utf8) }

        mutating func appendInterpolation(_ text: String) { bytes.append(contentsOf: text.utf8) }

        mutating func appendInterpolation(_ text: JSONText) { bytes.append(contentsOf: text.bytes) }

        mutating func appendInterpolation(_ fragment: Fragment) { bytes.append(contentsOf: fragment.raw) }

        mutating func appendInterpolation(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

        /// The lowest `digits` hexadecimal digits of `bits`, in lower case.
        mutating func appendInterpolation(hex bits: UInt64, _ digits: Int = 16) {
            for position in (0..<digits).reversed() {
                bytes.append(Self.hexDigits[Int(truncatingIfNeeded: (bits >> UInt64(4 * position)) & 15)])
            }
        }
    }
}

extension WorkloadGenerator {
    mutating func write(_ text: JSONText) { output.append(contentsOf: text.bytes) }

    mutating func pick(_ list: [Fragment]) -> Fragment { list[random.below(list.count)] }

    /// One of the plain names.
    mutating func name() -> Fragment { pick(vocabulary.names) }

    /// A long text is never escaped: six bytes for two would take it out of its size class.
    mutating func drawVoice(_ plan: RecordPlan) -> Voice {
        Voice(
            script: random.chance(43) ? 0 : random.below(vocabulary.scripts.count),
            escapes: plan.long == 0 && random.chance(12),
            marks: random.chance(12))
    }

    /// Phrases until the decoded text has at least `minimum` UTF-8 bytes; exceeds it by at most one phrase.
    private mutating func phrases(_ minimum: Int, _ voice: Voice) -> JSONText {
        let script = vocabulary.scripts[voice.script]
        var text = JSONText()
        var decoded = 0
        while true {
            let phrase = pick(script.phrases)
            let mark = voice.marks ? random.below(16) : 16
            if mark < Voice.marks.count { text.bytes.append(contentsOf: Voice.marks[mark].utf8) }
            text.bytes += phrase.spelled(by: voice)
            // A quotation mark comes in pairs.
            if mark == 0 { text.bytes.append(contentsOf: Voice.marks[mark].utf8) }
            decoded += phrase.raw.count
            if decoded >= minimum { return text }
            text.bytes += script.joint.spelled(by: voice)
            decoded += script.joint.raw.count
        }
    }

    mutating func title(_ voice: Voice) -> JSONText {
        var text = phrases(1, voice)
        if random.chance(20) { text.bytes += [UInt8(ascii: " ")] + pick(vocabulary.emoji).spelled(by: voice) }
        return text
    }

    /// Sentences that end with a full stop: of at least `long` bytes if that is not 0, otherwise a short text.
    mutating func body(_ long: Int, _ voice: Voice) -> JSONText {
        var text = phrases(long > 0 ? long : 1 + random.below(64), voice)
        text.bytes += vocabulary.scripts[voice.script].stop.spelled(by: voice)
        return text
    }
}

/// The ways to break a record on purpose. None of them puts a newline into the record.
public enum WorkloadDefect: Int, Sendable, CaseIterable {
    /// The beginning of a record. Never the first of a workload: a reader that detects the framing from the first line
    /// would take it for the start of a pretty-printed document.
    case truncated
    /// `…,}`
    case trailingComma
    /// Single quotes instead of double quotes.
    case singleQuotes
    /// A byte in a string that is not valid UTF-8 there.
    case invalidUTF8
    /// An unescaped control character in a string.
    case controlCharacter
    /// A line with only `}`.
    case closingBrace
    /// JSON, but an array that contains a record.
    case topLevelArray
    /// `{}`
    case emptyObject
    /// A JSON object that is not a push request.
    case unknownShape
    /// An APNs envelope whose `payload` is a string that is not JSON.
    case payloadText
    /// A number with a leading zero, which is invalid in JSON.
    case leadingZero
}

extension WorkloadGenerator {
    mutating func writeMalformed() {
        var defect = WorkloadDefect.allCases[random.below(WorkloadDefect.allCases.count)]
        if produced == 0, defect == .truncated { defect = .trailingComma }
        switch defect {
        case .closingBrace: write("}")
        case .emptyObject: write("{}")
        case .unknownShape: write(#"{"event":"heartbeat","sequence":\#(random.below(1_000_000))}"#)
        case .payloadText:
            write(#"{"device":\#(Population.token(drawDevice(population.apns))),"headers":{"apns-topic":""#)
            let voice = Voice(script: 0, escapes: false, marks: false)
            write(#"\#(pick(vocabulary.apps))"},"payload":"\#(body(0, voice))"}"#)
        case .truncated, .trailingComma, .singleQuotes, .invalidUTF8, .controlCharacter, .topLevelArray, .leadingZero:
            let start = output.count
            writeWellFormed(RecordPlan(isDamaged: true))
            damage(from: start, by: defect)
        }
    }

    /// Breaks the well-formed record that begins at `start`. Every record ends with `}` and has a quotation mark, the
    /// last of which ends a string.
    private mutating func damage(from start: Int, by defect: WorkloadDefect) {
        let last = output.count - 1
        let stringEnd = output[start...].lastIndex(of: UInt8(ascii: "\"")) ?? last
        switch defect {
        case .truncated:
            output.removeLast(1 + random.below(last - start))
        case .trailingComma:
            output.insert(UInt8(ascii: ","), at: last)
        case .singleQuotes:
            for index in start...last where output[index] == UInt8(ascii: "\"") { output[index] = UInt8(ascii: "'") }
        case .invalidUTF8:
            // An invalid byte, a lone continuation byte, the lead byte of an overlong form, a lead byte without
            // continuation.
            output.insert([0xff, 0x80, 0xc0, 0xe2][random.below(4)], at: stringEnd)
        case .controlCharacter:
            // Except NUL and 0x1E, which separate records in other framings, and line breaks.
            output.insert([0x01, 0x08, 0x09, 0x0b, 0x0c, 0x1b, 0x1f][random.below(7)], at: stringEnd)
        case .topLevelArray:
            output.insert(UInt8(ascii: "["), at: start)
            output.append(UInt8(ascii: "]"))
        case .leadingZero:
            output.removeLast()
            write(#","count":01}"#)
        case .closingBrace, .emptyObject, .unknownShape, .payloadText:
            break
        }
    }
}
