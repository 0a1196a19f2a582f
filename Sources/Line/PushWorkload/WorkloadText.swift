/// A piece of text in both spellings that JSON allows, prepared once.
struct Fragment: Sendable {
    /// Raw UTF-8.
    let raw: [UInt8]
    /// With everything outside ASCII as `\uXXXX`, and surrogate pairs beyond the basic plane.
    let escaped: [UInt8]

    /// `utf8` must have no quote, backslash or control character.
    init(utf8: some Sequence<UInt8>) {
        raw = Array(utf8)
        var escaped: [UInt8] = []
        for unit in String(decoding: raw, as: UTF8.self).utf16 {
            guard unit >= 0x80 else {
                escaped.append(UInt8(truncatingIfNeeded: unit))
                continue
            }
            escaped.write(##"\u"##)
            escaped.write(hex: UInt64(unit), digits: 4)
        }
        self.escaped = escaped
    }

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
    /// True if the text has some of `\"`, `\\`, `\/`, `\n` and `\t`.
    var marks: Bool
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

private let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)

/// Nothing here allocates, except when the buffer grows.
extension [UInt8] {
    @inline(__always)
    mutating func write(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// Writes a decimal number; a negative one is written as 0.
    mutating func write(number: Int) {
        var rest = Swift.max(0, number)
        var divisor = 1
        while rest / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Writes the lowest `digits` hexadecimal digits of `bits`, in lower case.
    mutating func write(hex bits: UInt64, digits: Int = 16) {
        var shift = digits * 4
        while shift > 0 {
            shift -= 4
            append(hexDigits[Int(truncatingIfNeeded: (bits >> UInt64(shift)) & 15)])
        }
    }

    /// Writes `source`, which is JSON, as the inside of a JSON string. Escapes quotes and backslashes; `source` must
    /// have no control characters.
    mutating func write(escaping source: [UInt8]) {
        for byte in source {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
            append(byte)
        }
    }
}

extension WorkloadGenerator {
    /// A long text is never escaped: six bytes for two would take it out of its size class.
    mutating func drawVoice(_ plan: RecordPlan) -> Voice {
        Voice(
            script: random.chance(43) ? 0 : random.below(vocabulary.scripts.count),
            escapes: plan.long == 0 && random.chance(12),
            marks: random.chance(12))
    }

    /// Writes phrases until the decoded text has at least `minimum` UTF-8 bytes; exceeds it by at most one phrase.
    private mutating func writeText(_ minimum: Int, _ voice: Voice, to buffer: inout [UInt8]) {
        let phrases = vocabulary.scripts[voice.script].phrases
        let joint = vocabulary.scripts[voice.script].joint
        var decoded = 0
        while true {
            let phrase = phrases[random.below(phrases.count)]
            let mark = voice.marks ? random.below(16) : 16
            switch mark {
            case 0: buffer.write(#"\""#)
            case 1: buffer.write(#"\\"#)
            case 2: buffer.write(#"\/"#)
            case 3: buffer.write(#"\t"#)
            case 4: buffer.write(#"\n"#)
            default: break
            }
            buffer.append(contentsOf: voice.escapes ? phrase.escaped : phrase.raw)
            if mark == 0 { buffer.write(#"\""#) }
            decoded += phrase.raw.count
            if decoded >= minimum { return }
            buffer.append(contentsOf: voice.escapes ? joint.escaped : joint.raw)
            decoded += joint.raw.count
        }
    }

    /// Writes a phrase, sometimes with an emoji.
    mutating func writeTitle(_ voice: Voice, to buffer: inout [UInt8]) {
        writeText(1, voice, to: &buffer)
        guard random.chance(20) else { return }
        let emoji = vocabulary.emoji[random.below(vocabulary.emoji.count)]
        buffer.append(UInt8(ascii: " "))
        buffer.append(contentsOf: voice.escapes ? emoji.escaped : emoji.raw)
    }

    /// Writes sentences that end with a full stop: of at least `long` bytes if that is not 0, otherwise a short text.
    mutating func writeBody(_ long: Int, _ voice: Voice, to buffer: inout [UInt8]) {
        writeText(long > 0 ? long : 1 + random.below(64), voice, to: &buffer)
        let stop = vocabulary.scripts[voice.script].stop
        buffer.append(contentsOf: voice.escapes ? stop.escaped : stop.raw)
    }

    /// Writes one of the plain names.
    mutating func writeName(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: vocabulary.names[random.below(vocabulary.names.count)].raw)
    }
}
