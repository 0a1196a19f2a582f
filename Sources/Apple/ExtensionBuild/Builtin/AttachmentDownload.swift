import FoundationEssentials
import PayloadJSON
import PushSystem

/// Downloads a picture, sound or movie that a payload names, with curl, and attaches it.
///
/// Only over HTTP and HTTPS, so that a payload cannot read files of this machine. A server elsewhere cannot redirect to this machine or its
/// network; a payload that names an address there gets it, because developers serve pictures there. The size limits are Apple's: `UNNotificationAttachment`.
struct AttachmentDownload: BuiltinResponder {
    /// Type identifiers by filename extension, and by the media type that a server sends.
    private static let types: [(type: String, names: [String], media: [String], limit: Int)] = [
        ("public.jpeg", ["jpg", "jpeg"], ["image/jpeg"], 10 << 20),
        ("public.png", ["png"], ["image/png"], 10 << 20),
        ("com.compuserve.gif", ["gif"], ["image/gif"], 10 << 20),
        ("public.aiff-audio", ["aif", "aiff"], ["audio/aiff", "audio/x-aiff"], 5 << 20),
        ("com.microsoft.waveform-audio", ["wav"], ["audio/wav", "audio/x-wav", "audio/vnd.wave"], 5 << 20),
        ("public.mp3", ["mp3"], ["audio/mpeg", "audio/mp3"], 5 << 20),
        ("public.mpeg-4-audio", ["m4a"], ["audio/mp4", "audio/m4a", "audio/x-m4a"], 5 << 20),
        ("public.mpeg", ["mpg", "mpeg"], ["video/mpeg"], 50 << 20),
        ("public.mpeg-4", ["mp4"], ["video/mp4"], 50 << 20),
        ("public.avi", ["avi"], ["video/avi", "video/x-msvideo"], 50 << 20),
    ]

    /// Less than the thirty seconds that a device gives an extension.
    private static let maximumSeconds = 25
    private static let maximumRedirects = 10
    /// The unit of `ulimit -f`. Source: POSIX.
    private static let blockBytes = 512

    private let key: String

    /// - Parameter key: the name of a member of the payload, or a JSON Pointer.
    init(key: String) { self.key = key }

    /// No change if there is nothing to download, or if the download fails.
    func answer(to payload: JSONView) -> BuiltinAnswer {
        var answer = BuiltinAnswer()
        let member = key.hasPrefix("/") ? payload[pointer: key] : payload[named: key]
        guard let address = member?.string?.string, !address.isEmpty else { return answer }
        do {
            let file = try download(address)
            answer.changes.append("\"attachments\":[{\"identifier\":")
            answer.changes.appendJSONString(key)
            answer.changes.append(",\"path\":")
            answer.changes.appendJSONString(file.path)
            answer.changes.append(",\"type\":")
            answer.changes.appendJSONString(file.type)
            answer.changes.append("}]")
        } catch {
            answer.problem = "\(address): \(error.message)"
        }
        return answer
    }

    private func download(_ address: String) throws(ExtensionBuildError) -> (path: String, type: String) {
        guard let curl = Self.program() else { throw ExtensionBuildError("curl is not installed") }
        let folder = Environment.variable("TMPDIR") ?? "/tmp"
        let path = "\(folder)/\(UUID().uuidString)"
        let largest = Self.types.map(\.limit).max() ?? 0
        let start = SystemClock.monotonicSeconds()
        var answer = Answer()
        var next = address
        for redirects in 0... {
            if redirects > Self.maximumRedirects {
                try? FileSystem.removeFile(path)
                throw ExtensionBuildError("more than \(Self.maximumRedirects) redirects")
            }
            let left = max(1, Self.maximumSeconds - Int(SystemClock.monotonicSeconds() - start))
            answer = try request(next, curl, path, limit: largest, seconds: left)
            if answer.redirect.isEmpty { break }
            if LocalAddress.isLocal(answer.redirect), !LocalAddress.isLocal(address) {
                try? FileSystem.removeFile(path)
                throw ExtensionBuildError("redirects to \(answer.redirect), on this machine or its network")
            }
            next = answer.redirect
        }
        // "image/png; charset=binary"
        let media = answer.media.prefix { $0 != ";" && $0 != " " }.lowercased()
        let name = Self.extensionOfName(address)
        guard
            let row = Self.types.first(where: { $0.names.contains(name) })
                ?? Self.types.first(where: { $0.media.contains(media) })
        else {
            try? FileSystem.removeFile(path)
            throw ExtensionBuildError(
                "neither its name nor its media type '\(media)' is of a type that notifications can attach")
        }
        guard let status = try? FileStatus(path), status.size <= row.limit else {
            try? FileSystem.removeFile(path)
            throw ExtensionBuildError("larger than \(row.limit >> 20) MiB, the limit for \(row.type)")
        }
        let target = "\(path).\(row.names[0])"
        do throws(SystemError) {
            try FileSystem.rename(path, to: target)
        } catch {
            throw ExtensionBuildError("cannot be renamed: \(error)")
        }
        return (target, row.type)
    }

    private struct Answer {
        /// The media type.
        var media = ""
        /// Where a redirect leads; empty for any other answer.
        var redirect = ""
    }

    /// Asks for an address, and writes the body of the answer to a file, which does not exist after an error.
    private func request(
        _ address: String, _ curl: String, _ path: String, limit: Int, seconds: Int
    ) throws(ExtensionBuildError) -> Answer {
        var output: [UInt8] = []
        let exit: Int32
        do {
            // curl's own limit is only for a length that a server states before it sends.
            exit = try Program(executable: "/bin/sh").run([
                "-c", "ulimit -f \(limit / Self.blockBytes + 1) && exec \"$0\" \"$@\"", curl, "--fail", "--silent",
                "--proto", "=http,https", "--max-filesize", "\(limit)", "--output", path, "--max-time", "\(seconds)",
                "--write-out", "%{content_type}\n%{redirect_url}\n%{errormsg}", "--globoff", "--url", address,
            ]) { output += $0 }
        } catch {
            throw ExtensionBuildError("/bin/sh cannot be started")
        }
        let lines = String(decoding: output, as: UTF8.self)
            .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard exit == 0, lines.count == 3 else {
            let size = (try? FileStatus(path))?.size ?? 0
            try? FileSystem.removeFile(path)
            if size > limit { throw ExtensionBuildError("larger than \(limit >> 20) MiB, the limit for any type") }
            let reason =
                lines.count == 3 && !lines[2].isEmpty ? String(lines[2]) : "curl failed with status \(exit)"
            throw ExtensionBuildError(reason)
        }
        return Answer(media: String(lines[0]), redirect: String(lines[1]))
    }

    /// `jpg` for `https://example.org/a/photo.JPG?size=2`; empty if there is none.
    private static func extensionOfName(_ address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[dot...].dropFirst().lowercased()
    }

    static func program() -> String? { Program.find("curl", on: ProcessInfo.processInfo.environment["PATH"]) }
}
