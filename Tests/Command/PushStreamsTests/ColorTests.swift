import PushStreams
import PushText
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

    /// The conventions of FORCE_HYPERLINK, which npm's supports-hyperlinks established, and what each terminal says about OSC 8.
    @Test(
        arguments: [
            ([:], false), (["TERM": "xterm-256color"], false), (["TERM": "xterm-kitty"], true),
            (["TERM": "foot"], true),
            (["TERM_PROGRAM": "iTerm.app"], true), (["TERM_PROGRAM": "Apple_Terminal"], false),
            (["VTE_VERSION": "7600"], true), (["VTE_VERSION": "4205"], false), (["VTE_VERSION": "x"], false),
            (["KONSOLE_VERSION": "230805"], true), (["WT_SESSION": "1"], true),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0"], false), (["VTE_VERSION": "7600", "STY": "1.pts"], false),
            (["TERM": "tmux-256color", "VTE_VERSION": "7600"], false), (["TERM": "screen", "WT_SESSION": "1"], false),
            (["FORCE_HYPERLINK": "1"], true), (["FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"], false),
            (["NO_COLOR": "1", "TERM": "xterm-kitty"], false), (["TERM": "dumb", "FORCE_HYPERLINK": "1"], false),
        ] as [([String: String], Bool)])
    func `variables decide about links on a terminal, and a pipe has none`(
        variables: [String: String], onTerminal: Bool
    ) {
        #expect(TextStyle.hasLinks(onTerminal: true) { variables[$0] } == onTerminal)
        #expect(!TextStyle.hasLinks(onTerminal: false) { variables[$0] })
    }
}
