import PayloadJSON
import PushFiles
import PushSystem
package import WikimediaSettings

/// A wiki's answer, as somebody gives it on the command line.
package enum WikiAnswer {
    /// Reads an answer: JSON if the text begins with `{`, otherwise a file of JSON. An empty text, or an empty file, is
    /// an answer that is lost; so is JSON that answers something else.
    ///
    /// - Throws: `PreferenceFileError`, with line and column for text that is not JSON.
    package static func read(_ text: String) throws(PreferenceFileError) -> PreferencesStateMachine.Answer {
        if text.isEmpty || text.first == "{" { return try parse(Array(text.utf8), named: "the answer") }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(text, limit: PreferenceFile.maximumBytes)
        } catch {
            throw PreferenceFileError("\(FilePaths.shown(text)): \(error)")
        }
        return try parse(bytes, named: FilePaths.shown(text))
    }

    private static func parse(
        _ text: [UInt8], named name: String
    ) throws(PreferenceFileError) -> PreferencesStateMachine.Answer {
        if text.isEmpty { return .lost }
        do throws(TextFault) {
            return try PreferencesStateMachine.Answer(parsing: text)
        } catch {
            throw PreferenceFileError("\(name):\(error.position.line):\(error.position.column): \(error.message)")
        }
    }
}
