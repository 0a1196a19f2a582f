import StandardStreams
import TerminalStyle
import Testing

/// The conventions of no-color.org, force-color.org and bixense.com/clicolors. The two last do not say what wins against `NO_COLOR`; here it
/// wins, because who sets it cannot read colors.
struct ColorTests {
    @Test(
        arguments: [
            ([:], false, true), (["NO_COLOR": "1"], false, false), (["NO_COLOR": ""], false, true),
            (["TERM": "dumb"], false, false),
            (["CLICOLOR": "0"], false, false), (["CLICOLOR": "1"], false, true), (["FORCE_COLOR": "1"], true, true),
            (["FORCE_COLOR": "0"], false, true), (["FORCE_COLOR": ""], false, true),
            (["CLICOLOR_FORCE": "1"], true, true),
            (["FORCE_COLOR": "1", "TERM": "dumb", "CLICOLOR": "0"], true, true),
            (["NO_COLOR": "1", "FORCE_COLOR": "1"], false, false),
        ] as [([String: String], Bool, Bool)])
    func `variables decide about colors`(variables: [String: String], inPipe: Bool, onTerminal: Bool) {
        #expect(TextStyle.hasColors(onTerminal: false) { variables[$0] } == inPipe)
        #expect(TextStyle.hasColors(onTerminal: true) { variables[$0] } == onTerminal)
    }
}
