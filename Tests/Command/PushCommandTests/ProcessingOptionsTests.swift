import Testing

@testable import PushCommand

struct ProcessingOptionsTests {
    @Test func `processing options are what is neither a file nor of the measurement`() {
        let words = [
            "--fit", "-", "--save", "x.json", "--jobs=4", "-j2", "--budget", "2048", "a.json", "--", "-j", "3",
        ]
        #expect(
            ProcessingOptions.words(of: words, files: ["a.json", "-"], except: ["--save", "--jobs", "-j"])
                == ["--fit", "--budget", "2048"])
    }
}
