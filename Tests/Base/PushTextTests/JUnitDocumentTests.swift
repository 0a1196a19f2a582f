import Testing

@testable import PushText

struct JUnitDocumentTests {
    private func text(of document: JUnitDocument) -> String {
        var text = ""
        document.write { text += $0 }
        return text
    }

    @Test func `a document has its suites, their cases, and counts of both`() {
        var document = JUnitDocument("pushpipe <test>", suites: [.skipped, .seconds], total: [.seconds])
        document.addCase(
            ["name": "a \"b\"", "line": "1"], seconds: 0.25,
            [.failure(type: "failed", message: "x\ny", ["x\ny", "z"]), .output(["<&>"])])
        document.addCase(["name": "c"], seconds: 1, [.skipped("dry run")])
        document.endSuite(["name": "one", "file": "1.feature"])
        #expect(document.isSuiteEmpty)
        document.addCase(["name": "d"])
        #expect(!document.isSuiteEmpty)
        document.addCase(["name": "e"], [.error("gone")])
        document.endSuite(["name": "two"])
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="pushpipe &lt;test&gt;" tests="4" failures="1" errors="1" time="1.250000">
              <testsuite name="one" file="1.feature" tests="2" failures="1" errors="0" skipped="1" time="1.250000">
                <testcase name="a &quot;b&quot;" line="1" time="0.250000">
                  <failure type="failed" message="x&#10;y">x&#10;y
            z</failure>
                  <system-out>&lt;&amp;&gt;</system-out>
                </testcase>
                <testcase name="c" time="1.000000">
                  <skipped message="dry run"/>
                </testcase>
              </testsuite>
              <testsuite name="two" tests="2" failures="0" errors="1" skipped="0" time="0.000000">
                <testcase name="d"/>
                <testcase name="e">
                  <error message="gone"/>
                </testcase>
              </testsuite>
            </testsuites>

            """
        #expect(text(of: document) == expected)
    }

    @Test func `a case of a compact document is one line`() {
        var document = JUnitDocument("s", isCompact: true)
        document.addCase(["name": "a"])
        document.addCase(["name": "b"], [.failure(type: "new", message: "m", ["t"])])
        document.endSuite(["name": "s"])
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="s" tests="2" failures="1" errors="0">
              <testsuite name="s" tests="2" failures="1" errors="0">
                <testcase name="a"></testcase>
                <testcase name="b"><failure type="new" message="m">t</failure></testcase>
              </testsuite>
            </testsuites>

            """
        #expect(text(of: document) == expected)
    }

    @Test func `a document without suites has its counts`() {
        let document = JUnitDocument("s", total: [.skipped, .seconds])
        let counts = #"tests="0" failures="0" errors="0" skipped="0" time="0.000000""#
        let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#
        #expect(text(of: document) == "\(declaration)\n<testsuites name=\"s\" \(counts)>\n</testsuites>\n")
    }
}
