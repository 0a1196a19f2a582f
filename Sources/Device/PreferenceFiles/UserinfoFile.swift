import PayloadJSON
import PushFiles
import PushSystem
package import WikimediaSettings

/// A wiki's answer to API:Userinfo, in a file or on standard input.
package enum UserinfoFile {
    /// Reads the options of a user who is logged in.
    ///
    /// - Parameter path: `-` for standard input.
    /// - Throws: `PreferenceFileError`, with line and column for text that is not JSON.
    package static func read(_ path: String) throws(PreferenceFileError) -> UserinfoAnswer.UserOptions {
        let source = name(of: path)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path == "-" ? nil : path, limit: PreferenceFile.maximumBytes)
        } catch {
            throw PreferenceFileError("\(source): \(error)")
        }
        let answer: UserinfoAnswer
        do throws(TextFault) {
            answer = try UserinfoAnswer(parsing: bytes)
        } catch {
            throw PreferenceFileError("\(source):\(error.position.line):\(error.position.column): \(error.message)")
        }
        switch answer {
        case .options(let options): return options
        case .anonymous: throw PreferenceFileError("\(source): the user of the answer is not logged in")
        case .error(let code, let info):
            let words = info.isEmpty ? code : "\(code): \(info)"
            throw PreferenceFileError("\(source): the wiki answered with an error: \(words)")
        case .unreadable(let reason): throw PreferenceFileError("\(source): \(reason)")
        }
    }

    /// Its name in messages.
    package static func name(of path: String) -> String { path == "-" ? "<stdin>" : FilePaths.shown(path) }
}
