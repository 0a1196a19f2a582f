import FileAccess
import PushFaults
import PushRuns
import YAMLText

extension FaultFile {
    /// Reads a file.
    static func read(_ path: String) throws(RunError) -> [FaultRule] {
        let limit = FileBytes.maximumConfigurationBytes
        let bytes: [UInt8]
        do { bytes = try FileBytes.read(path, limit: limit) } catch {
            throw RunError("\(path): \(FileBytes.message(for: error, limit: limit))")
        }
        do { return try rules(bytes) } catch {
            throw RunError(
                "\(path)\(error.place): \(error.message); serve --faults examples prints a file to begin with")
        }
    }
}
