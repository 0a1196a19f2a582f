import Foundation
import TestSupport
import Testing

/// Scripts/parts.sh, which decides whether a CI run passes.
struct CIPartsTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write(
            "silent:\n\t@true\nspeaking:\n\t@echo hello\nfailing:\n\t@echo error: no; false\n", to: "Makefile")
    }

    private func run(_ parts: String) throws -> Output {
        let script = Place.package.appendingPathComponent("Scripts/parts.sh").path
        return try folder.shell(
            #"""
            env -u MAKELEVEL -u MAKEFLAGS bash -c 'set -euo pipefail; source "$0"
            \#(parts); printf "%s\n" "${results[@]}"; exit "$status"' '\#(script)'
            """#)
    }

    @Test(arguments: [
        "part 1 silent", "part 1 speaking", "part 1 speaking; part 1 silent",
        "aside part 1 silent; part 1 speaking; join",
    ])
    func `a part that has nothing to say passes as others do`(parts: String) throws {
        let output = try run(parts)
        #expect(output.status == 0 && !output.text.contains("FAILED"), "\(output.text)")
        #expect(output.text.contains(/(silent|speaking) +passed/), "\(output.text)")
    }

    @Test(arguments: ["part 1 failing; part 1 silent", "aside part 1 failing; part 1 silent; join", "part 1 missing"])
    func `a part that fails fails the run, and its reason is told again`(parts: String) throws {
        let output = try run(parts)
        #expect(output.status == 1 && output.text.contains(/(failing|missing) +FAILED/), "\(output.text)")
        #expect(parts.contains("missing") || output.text.contains("    error: no"), "\(output.text)")
    }
}
