import PushFaults
import PushFiles
import PushModel
import PushRuns
import PushYAML

extension FaultFile {
    /// Reads a file: the rules, and the text that has them.
    static func read(_ path: String, _ advice: Advice.Wording) throws(RunError) -> (rules: [FaultRule], text: String) {
        let bytes = try FileBytes.readConfiguration(path)
        do { return (try rules(bytes), String(decoding: bytes, as: UTF8.self)) } catch {
            throw RunError("\(path)\(error.place): \(error.message)\(advice(.showFaultExamples))")
        }
    }
}
