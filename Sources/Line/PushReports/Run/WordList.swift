package import PayloadJSON
import PushDecoding
package import PushModel
package import PushText

/// Every answer of the services, and every word of an output and of an event, with its meaning: `pushpipe explain` without a word, and
/// `--format ndjson`, of which Scripts/reference-pages.py makes pages of the documentation.
package enum WordList {
    // MARK: - For people

    /// Appends a line for each answer and each word: where it stands, the word and its meaning.
    package static func appendText(_ style: TextStyle, to out: inout ByteBuffer) {
        func append(_ place: String, _ word: String, _ meaning: String) {
            var line = FlowingLine(style, indent: 4)
            line.appendCell(place, to: 22, style.dim)
            line.appendCell(word, to: 32)
            line.appendWords(meaning)
            out.appendText(line.text + "\n")
        }
        for row in Rejection.table { append("\(row.speaker) \(row.status)", "\(row.reason)", "\(row.cause)") }
        for row in ReasonList.rows { append("\(row.place)", row.word, row.explanation) }
        for row in EventWord.table { append("\(row.member)", row.word, "\(row.meaning)") }
    }

    // MARK: - For programs

    /// Appends a line of JSON for each answer, each word, each member of an event and each value of one.
    package static func appendJSON(to out: inout ByteBuffer) {
        appendJSON(Rejection.table.map(\.rejection), ReasonList.rows, to: &out)
        for row in AnswerCase.table {
            out.append("{\"kind\":\"case\"")
            out.appendMember("service", "\(row.speaker)")
            out.appendMember("request", "\(row.request)")
            out.appendMember("answer", "\(row.answer)")
            append(row.source, to: &out)
        }
        for member in EventMember.table {
            out.append("{\"kind\":\"member\"")
            out.appendMember("member", "\(member.name)")
            out.appendMember("events", member.events.map(\.rawValue))
            out.appendMember("value", value(of: member.form))
            out.appendMember("meaning", "\(member.words)")
            out.append("}\n")
        }
        for row in EventWord.table {
            out.append("{\"kind\":\"value\"")
            out.appendMember("member", "\(row.member)")
            out.appendMember("word", row.word)
            out.appendMember("meaning", "\(row.meaning)")
            out.append("}\n")
        }
    }

    /// Appends a line of JSON for each answer and each word.
    package static func appendJSON(_ rejections: [Rejection], _ rows: [ReasonList.Row], to out: inout ByteBuffer) {
        for rejection in rejections {
            out.append("{\"kind\":\"answer\"")
            out.appendMember("service", "\(rejection.row.speaker)")
            out.appendMember("status", rejection.row.status)
            out.appendMember("reason", "\(rejection.row.reason)")
            out.appendMember("cause", "\(rejection.row.cause)")
            append(rejection.source, to: &out)
        }
        for row in rows {
            out.append("{\"kind\":\"word\"")
            out.appendMember("place", "\(row.place)")
            out.appendMember("word", row.word)
            out.appendMember("meaning", row.explanation)
            out.appendMember("page", "\(row.page)")
            out.append("}\n")
        }
    }

    private static func append(_ source: AnswerSource, to out: inout ByteBuffer) {
        out.appendMember("certainty", source.certainty.rawValue)
        out.appendMember("source", "\(source.text)")
        out.append("}\n")
    }

    /// The words of a member are lines of their own.
    private static func value(of form: EventMember.Form) -> String {
        switch form {
        case .choice: "one of its words"
        case .choices: "a list of its words"
        case .flagOrChoice: "true, false or one of its words"
        case .text, .flag, .texts, .number, .time, .duration, .categories, .channels: form.words
        }
    }
}

/// Answers of an emulated service, with how they are known: `pushpipe explain REASON`.
package enum AnswerList {
    /// The rejections with a reason, or with the rule of its finding; several services may have one. Empty if there is none.
    package static func rejections(named name: String) -> [Rejection] {
        Rejection.allCases.filter { $0.reason == name || $0.rule == name }
    }

    /// The rejections that a service answers with a status, such as `413`. Empty if there is none, and for what is no status.
    package static func rejections(withStatus text: String) -> [Rejection] {
        guard let status = Int(text) else { return [] }
        return Rejection.allCases.filter { $0.row.status == status }
    }

    /// The reason that is written nearly like a name; nil if there is none.
    package static func reason(like name: String) -> String? {
        NameSuggestion.nearest(to: name, among: Rejection.table.map(\.reason.description))
    }

    /// Rejections in words, as `pushpipe explain` prints them.
    package static func explanation(_ rejections: [Rejection], _ style: TextStyle) -> String {
        rejections.map { rejection in
            let row = rejection.row
            var head = FlowingLine(style, indent: 2)
            head.appendCell("\(row.reason):", to: 0) { _ in style.bold("\(row.reason)") + ":" }
            head.appendWords("\(row.cause)")
            var text = head.text + "\n\(row.speaker), status \(row.status)\n"
            text += "\(rejection.source.certainty.rawValue): \(rejection.source.text)\n"
            for known in AnswerCase.table where known.speaker.description == row.speaker.description {
                guard known.answer.description.contains(rejection.reason) else { continue }
                text += "\n\(known.request): \(known.source.certainty.rawValue), \(known.source.text)\n"
            }
            return text
        }.joined(separator: "\n")
    }
}
