import Foundation
import TestSupport
import Testing

/// Every character of Unicode in a report for people.
struct TerminalSlowTests {
    /// Wide and full-width characters are those of Python's tables, except characters that newer tables reclassify.
    @Test func `the report knows which characters are wide`() throws {
        let folder = try Folder()
        try folder.write(
            #"""
            import json, sys, unicodedata
            moved = [*range(0x2630, 0x2638), *range(0x268A, 0x2690), *range(0x4DC0, 0x4E00), *range(0x1D300, 0x1D377)]
            for o in range(0x20, 0x110000):
                c = chr(o)
                if unicodedata.category(c) in ("Cn", "Cs", "Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Co"): continue
                if o in moved or 0x1F1E6 <= o <= 0x1F1FF or 0x1160 <= o <= 0x11FF or 0xD7B0 <= o <= 0xD7FF: continue
                if o in (0x115F, 0x3164, 0xFFA0): continue
                if c.isspace(): continue
                print(json.dumps({"to": "x" + c, "data": {"wide": unicodedata.east_asian_width(c) in "WF"}}))
            """#, to: "all.py")
        // The padding after a device in a column of 15 shows its width.
        let output = try folder.shell(
            #"""
            python3 all.py > in
            pushpipe run -q --format text in > out
            python3 - <<'END'
            import json, re
            bad = []
            for record, line in zip(open("in"), open("out")):
                record = json.loads(record)
                room = re.search(re.escape(record["to"]) + r"( +)\d+/\d+", line)
                width = 15 - len(room.group(1)) if room else -1
                if width != (3 if record["data"]["wide"] else 2): bad.append("%x %d" % (ord(record["to"][1]), width))
            print(len(bad), bad[:40])
            END
            """#)
        #expect(output.text == "0 []\n", "\(output.text) \(output.stderr)")
    }
}
