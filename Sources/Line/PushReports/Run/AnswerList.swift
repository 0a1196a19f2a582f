package import PushModel
package import PushText

/// Every answer of an emulated service, with how it is known: `pushpipe explain REASON`, and `--answers`.
package enum AnswerList {
    /// The page `Documentation/reference/answers.md`.
    package static var markdown: String {
        var text = """
            # Answers

            Every answer of an emulated service, and how it is known. Made by `make answers`, from the tables that `run` and `serve` answer by.

            | | |
            |---|---|
            | `documented` | the vendor's document, or the service's own source code, says so |
            | `observed` | somebody got this answer, and no document says so |
            | `assumed` | neither is known: it is what seems likely, or does the least harm |

            Did a service answer something else? [Compare your sender's log](../guides/answers.md), and report the difference.

            ## Statuses and reasons

            What is accepted is answered with status 200, and by Airnotifier with 202. `pushpipe explain REASON` prints a row.

            | Service | Status | Reason | Cause | | Source |
            |---|---|---|---|---|---|

            """
        for row in Rejection.table {
            let source = row.rejection.source
            let cells = [
                "\(row.status)", "`\(row.reason)`", "\(row.cause)", source.certainty.rawValue, "\(source.text)",
            ]
            text += "| `\(row.speaker)` | \(cells.joined(separator: " | ")) |\n"
        }
        text += """

            `binary` is [APNs' interface of 2013](gateway-binary.md); its statuses are those of an error packet.

            ## Cases in which the answer is less certain

            The statuses and reasons above are words that the services have. Whether they have them for a certain request is another question:

            | Service | Request | Answer | | Source |
            |---|---|---|---|---|

            """
        for row in AnswerCase.table {
            let cells = ["\(row.request)", "\(row.answer)", row.source.certainty.rawValue, "\(row.source.text)"]
            text += "| `\(row.speaker)` | \(cells.joined(separator: " | ")) |\n"
        }
        return text
    }

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
