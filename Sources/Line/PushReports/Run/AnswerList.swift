package import PushModel
package import PushText

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
