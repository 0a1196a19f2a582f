import PushModel
import PushText
import Testing

@testable import PushTerminal

struct FullScreenTests {
    /// The window after a frame has been drawn over another, by the rules of ECMA-48 and of xterm where lines do not wrap: after the last
    /// column the cursor stays on it, and EL (8.3.41) erases the character under the cursor, too.
    private static func window(_ text: String, columns: Int, rows: Int) -> [String] {
        var cells = Array(repeating: Array(repeating: Character("#"), count: columns), count: rows)
        var row = 0
        var column = 0
        /// The escape sequence that has begun; a letter ends it.
        var sequence: String?
        for scalar in text.unicodeScalars {
            let character = Character(scalar)
            if let begun = sequence {
                sequence = begun + String(character)
                guard scalar.properties.isAlphabetic else { continue }
                switch character {
                case "H": (row, column) = (0, 0)
                case "K": for place in column..<columns { cells[row][place] = " " }
                default: break
                }
                sequence = nil
                continue
            }
            switch character {
            case "\u{1B}": sequence = ""
            case "\r": column = 0
            case "\n": row = min(row + 1, rows - 1)
            default:
                cells[row][column] = character
                column = min(column + 1, columns - 1)
            }
        }
        return cells.map { String($0) }
    }

    /// A card gets no wider than 72 columns.
    @Test(arguments: [20, 40, 71, 72, 73, 100], [false, true])
    func `a card has its right border in a window of any width`(columns: Int, hasColors: Bool) {
        var browser = ScreenBrowser(title: "s", style: TextStyle(hasColors: hasColors), columns: columns, rows: 8)
        browser.take([ScreenBrowser.Device(name: "ab12", count: 1)])
        browser.take(
            [
                DeliveredNotification(
                    seq: 1, device: "ab12", app: "a.b", identifier: "push-1", content: ShownContent(title: "Hello"),
                    deliveredAt: 0, payload: "{}")
            ], isFirst: true)
        let shown = Self.window(FullScreen.frame(browser.lines, columns: columns), columns: columns, rows: 8)
        let ends = shown[1...3].map { $0.last { $0 != " " } }
        #expect(ends == ["╮", "│", "╯"], "\(shown)")
        // Nothing of the frame before is left.
        #expect(!shown.joined().contains("#"), "\(shown)")
    }

    @Test func `styles take no columns`() {
        let style = TextStyle(hasColors: true)
        #expect(TerminalText.width(ofStyled: style.bold("漢字") + style.dim("─") + "x") == 6)
        #expect(TerminalText.width(ofStyled: "plain") == 5)
    }
}
