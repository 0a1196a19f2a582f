import PushDecoding
import PushModel

/// Every word of an output and of an event, with its meaning: `pushpipe explain --words`.
package enum WordList {
    /// The page `Documentation/reference/words.md`.
    package static var markdown: String {
        var text = """
            # Words

            The words by which reports, the journal and events say what happened, and the members and values of events. Made by `make words`, from the
            tables that `run`, `serve` and `explain` use. `pushpipe explain WORD` prints a row; [answers](answers.md) have the words of the services.

            ## Of reports and of the journal

            A word may stand at several places: as an `outcome`, as the `reason` of that outcome, as the value of a member of
            [the report](report.md), or as the `kind` of a line of the [journal](store.md#views).

            | Place | Word | Meaning |
            |---|---|---|

            """
        for row in ReasonList.rows {
            text += "| `\(row.place)` | [`\(row.word)`](../\(row.page)) | \(cell(row.explanation)) |\n"
        }
        text += """

            ## Members of events

            [Device events](events.md) says more about each. Where nothing else is said, a member that is absent leaves what was known.

            | Member | Events | Value | Meaning |
            |---|---|---|---|

            """
        for member in EventMember.table {
            let events = member.events.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            text += "| `\(member.name)` | \(events) | \(cell(value(of: member.form))) | \(cell("\(member.words)")) |\n"
        }
        text += """

            ## Values of members of events

            | Member | Value | Meaning |
            |---|---|---|

            """
        for row in EventWord.table {
            text += "| `\(row.member)` | `\(row.word)` | \(cell("\(row.meaning)")) |\n"
        }
        return text
    }

    /// A member's words are in a table of their own.
    private static func value(of form: EventMember.Form) -> String {
        switch form {
        case .choice: "one of [its words](#values-of-members-of-events)"
        case .choices: "a list of [its words](#values-of-members-of-events)"
        case .flagOrChoice: "true, false or one of [its words](#values-of-members-of-events)"
        case .text, .flag, .texts, .number, .time, .duration, .categories, .channels: form.words
        }
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
