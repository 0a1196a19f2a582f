import TestSupport
import Testing

/// Inputs that go on and on without a record.
struct EndlessInputSlowTests {
    @Test(arguments: ["/dev/zero", "yes '' |"]) func `an input without a record is left`(input: String) throws {
        let command = input.hasSuffix("|") ? "\(input) pushpipe run" : "pushpipe run <\(input)"
        let output = try Folder().shell(command)
        #expect(output.status == 2)
        #expect(output.stderr.contains("no valid record in 64 MiB"), "\(output.stderr)")
        #expect(output.stderr.contains("--set input.allow-empty"))
    }

    @Test func `lint leaves one, too`() throws {
        let output = try Folder().shell("pushpipe lint </dev/zero")
        #expect(output.status == 2)
        #expect(output.stderr.contains("no valid record in 64 MiB; the input may have no end"), "\(output.stderr)")
    }

    @Test func `nor is one divided`() throws {
        let output = try Folder().shell("pushpipe partition --parts 2 --output parts </dev/zero")
        #expect(output.status == 2)
        #expect(output.stderr.contains("no valid record in 64 MiB"), "\(output.stderr)")
    }

    @Test func `a longer one is read to its end with an option, and after a valid record`() throws {
        let zeros = "head -c 80M /dev/zero"
        let lifted = try Folder().shell(
            "(\(zeros); echo; echo '{\"aps\":{\"alert\":\"a\"}}') | pushpipe run --set input.allow-empty")
        #expect(lifted.status == 0, "\(lifted.stderr)")
        let late = try Folder().shell(
            "(echo '{\"aps\":{\"alert\":\"a\"}}'; \(zeros)) | pushpipe run --set input.framing=ndjson")
        #expect(late.status == 0, "\(late.stderr)")
        #expect(late.text.contains("delivered"))
    }
}
