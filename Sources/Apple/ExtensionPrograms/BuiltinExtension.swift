import FoundationEssentials
package import PushJSON
package import PushSystem

/// An extension that comes with the command: `builtin:attachment=KEY`, `builtin:localize=FILE`.
///
/// It runs as others do, in a process of its own that speaks the protocol: the command starts itself again for it.
package enum BuiltinExtension {
    /// Downloads what a member of the payload names, and attaches it.
    case attachment(key: String)
    /// Replaces the keys of an alert with texts from a table.
    case localize(file: String)

    private static let prefix = "builtin:"
    /// The words after which the command takes a `specification`, and is the extension's process.
    package static let command = ["extension", "builtin"]

    /// Reads `builtin:…`; nil for other extensions.
    package init?(named path: String) throws(PlainError) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        try self.init(parsing: path.dropFirst(Self.prefix.count))
    }

    /// Reads `attachment=KEY` or `localize=FILE`.
    package init(parsing text: some StringProtocol) throws(PlainError) {
        let parts = String(text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw PlainError("takes builtin:attachment=KEY or builtin:localize=FILE.", of: "extension")
        }
        switch parts[0] {
        case "attachment": self = .attachment(key: parts[1])
        case "localize": self = .localize(file: parts[1])
        default:
            throw PlainError(
                "There is no builtin:\(parts[0]); there are builtin:attachment and builtin:localize.")
        }
    }

    /// `attachment=KEY` or `localize=FILE`.
    var specification: String {
        switch self {
        case .attachment(let key): "attachment=\(key)"
        case .localize(let file): "localize=\(file)"
        }
    }

    /// Throws why it would not work, before anything is delivered.
    func check(language: String?) throws(PlainError) {
        switch self {
        case .attachment:
            guard AttachmentDownload.program() != nil else {
                throw PlainError("builtin:attachment downloads with curl, which is not installed")
            }
        case .localize(let file): _ = try AlertLocalizer(file: file, language: language)
        }
    }

    /// The extension's side of the protocol.
    package func server(language: String?) throws(PlainError) -> BuiltinServer {
        switch self {
        case .attachment(let key): BuiltinServer(AttachmentDownload(key: key).answer)
        case .localize(let file): BuiltinServer(try AlertLocalizer(file: file, language: language).answer)
        }
    }
}

struct BuiltinAnswer: ~Copyable {
    /// The members of the content that change, with commas between them.
    var changes = ByteBuffer()
    /// The error; nil on success.
    var problem: String?
}

/// The extension's side of the protocol for a built-in extension: lines in, lines out.
package struct BuiltinServer: ~Copyable {
    private let respond: (JSONView) -> BuiltinAnswer
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    /// - Parameter respond: makes new content for a push. Called once for each, in order, on one thread.
    init(_ respond: @escaping (JSONView) -> BuiltinAnswer) { self.respond = respond }

    /// Appends the answer to a line from the host; nothing for lines that need no answer.
    package mutating func answer(_ line: String, into out: inout ByteBuffer) {
        var text = line
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard scanner.scan(bytes, into: &tape) == nil, let message = tape.root(of: bytes),
                let method = message["method"]?.string, method == "didReceive", let id = message["id"]?.int64,
                let payload = message["request"]?["payload"]
            else { return }
            let answer = respond(payload)
            if let problem = answer.problem {
                out.append("{\"method\":\"finding\",\"id\":")
                out.append(id)
                out.append(",\"message\":")
                out.appendJSONString(problem)
                out.append("}\n")
            }
            out.append("{\"method\":\"contentHandler\",\"id\":")
            out.append(id)
            out.append(",\"content\":{")
            out.append(answer.changes)
            out.append("}}\n")
        }
    }
}

/// Replaces `loc-key`, `title-loc-key` and `subtitle-loc-key` with texts from a table, as a device does with the app's own.
struct AlertLocalizer {
    private let texts: [String: String]

    /// Reads a table (`.strings`), a string catalog (`.xcstrings`) or a JSON object of texts.
    ///
    /// - Parameter language: the language of a catalog to use; by default its source language.
    init(file: String, language: String?) throws(PlainError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw PlainError("\(file): cannot be read")
        }
        if file.hasSuffix(".xcstrings") {
            let catalog = try StringCatalog.read([UInt8](data), path: file)
            let tables = catalog.tables()
            let wanted = language ?? catalog.sourceLanguage ?? "en"
            guard let best = LanguageChoice.best(for: wanted, among: Set(tables.keys)), let table = tables[best] else {
                throw PlainError(
                    "\(file): no texts in \(wanted), but in \(tables.keys.sorted().joined(separator: ", "))")
            }
            texts = table
            return
        }
        texts = try LocalizedTexts.read([UInt8](data), path: file)
    }

    func answer(to payload: JSONView) -> BuiltinAnswer {
        var answer = BuiltinAnswer()
        guard let alert = payload["aps"]?["alert"], alert.isObject else { return answer }
        append("title", key: alert["title-loc-key"], arguments: alert["title-loc-args"], to: &answer.changes)
        append("subtitle", key: alert["subtitle-loc-key"], arguments: alert["subtitle-loc-args"], to: &answer.changes)
        append("body", key: alert["loc-key"], arguments: alert["loc-args"], to: &answer.changes)
        return answer
    }

    private func append(_ name: String, key: JSONView?, arguments: JSONView?, to changes: inout ByteBuffer) {
        guard let key = key?.string?.string, let format = texts[key] else { return }
        let values = arguments?.elements.map { $0.string?.string ?? $0.text.string } ?? []
        if changes.count > 0 { changes.append(",") }
        changes.appendJSONString(name)
        changes.append(":")
        changes.appendJSONString(Self.fill(format, with: values))
    }

    /// Fills in arguments: `%@` takes the next one, `%2$@` the second, and so do placeholders for numbers; `%%` is a percent sign. A
    /// placeholder without an argument stays as it is.
    static func fill(_ format: String, with arguments: [String]) -> String {
        var result = ""
        var rest = format[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.hasPrefix("%") {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            var place = rest
            let digits = place.prefix { $0.isASCII && $0.isNumber }
            let position = place.dropFirst(digits.count).hasPrefix("$") ? Int(digits) : nil
            if position != nil { place = place.dropFirst(digits.count + 1) }
            place = place.drop { $0 == "l" }
            guard let kind = place.first, "@duf".contains(kind) else {
                result += "%"
                continue
            }
            let number = position ?? next + 1
            if position == nil { next += 1 }
            let after = place.dropFirst()
            result += arguments.indices.contains(number - 1) ? arguments[number - 1] : "%" + rest[..<after.startIndex]
            rest = after
        }
        return result + rest
    }
}

/// Downloads a picture, sound or movie that a payload names, with curl, and attaches it.
///
/// Only over HTTP and HTTPS, so that a payload cannot read files of this machine. A server elsewhere cannot redirect to this machine or its
/// network; a payload that names an address there gets it, because developers serve pictures there. The size limits are Apple's: `UNNotificationAttachment`.
struct AttachmentDownload {
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

    private func download(_ address: String) throws(PlainError) -> (path: String, type: String) {
        guard let curl = Self.program() else { throw PlainError("curl is not installed") }
        let folder = Environment.variable("TMPDIR") ?? "/tmp"
        let path = "\(folder)/\(UUID().uuidString)"
        let largest = Self.types.map(\.limit).max() ?? 0
        let start = SystemClock.monotonicSeconds()
        // It has another name once it is accepted.
        defer { try? FileSystem.removeFile(path) }
        var answer = Answer()
        var next = address
        for redirects in 0... {
            if redirects > Self.maximumRedirects { throw PlainError("more than \(Self.maximumRedirects) redirects") }
            let left = max(1, Self.maximumSeconds - Int(SystemClock.monotonicSeconds() - start))
            answer = try request(next, curl, path, limit: largest, seconds: left)
            if answer.redirect.isEmpty { break }
            if LocalAddress.isLocal(answer.redirect), !LocalAddress.isLocal(address) {
                throw PlainError("redirects to \(answer.redirect), on this machine or its network")
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
            throw PlainError(
                "neither its name nor its media type '\(media)' is of a type that notifications can attach")
        }
        guard let status = try? FileStatus(path), status.size <= row.limit else {
            throw PlainError("larger than \(row.limit >> 20) MiB, the limit for \(row.type)")
        }
        let target = "\(path).\(row.names[0])"
        do throws(SystemError) {
            try FileSystem.rename(path, to: target)
        } catch {
            throw PlainError("cannot be renamed: \(error)")
        }
        return (target, row.type)
    }

    private struct Answer {
        /// The media type.
        var media = ""
        /// The address that a redirect leads to; empty for any other answer.
        var redirect = ""
    }

    /// Asks for an address, and writes the body of the answer to a file.
    private func request(
        _ address: String, _ curl: String, _ path: String, limit: Int, seconds: Int
    ) throws(PlainError) -> Answer {
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
            throw PlainError("/bin/sh cannot be started")
        }
        let lines = String(decoding: output, as: UTF8.self)
            .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard exit == 0, lines.count == 3 else {
            let size = (try? FileStatus(path))?.size ?? 0
            if size > limit { throw PlainError("larger than \(limit >> 20) MiB, the limit for any type") }
            let reason =
                lines.count == 3 && !lines[2].isEmpty ? String(lines[2]) : "curl failed with status \(exit)"
            throw PlainError(reason)
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

    static func program() -> String? { FileSystem.program("curl", on: ProcessInfo.processInfo.environment["PATH"]) }
}

/// Addresses of this machine and of private networks.
package enum LocalAddress {
    /// True if an address of HTTP leads to this machine or a private network, as far as its text says so: a name is not resolved. Also for
    /// an address in numbers that are not four decimal ones, which programs read in different ways.
    ///
    /// Source: RFC 6890, "Special-Purpose IP Address Registries"; RFC 6761 for `localhost`.
    package static func isLocal(_ address: String) -> Bool {
        let host = host(of: address)
        if host.hasPrefix("[") { return isLocal(ofVersion6: host.dropFirst().prefix { $0 != "]" }) }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") || name.isEmpty {
            return true
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, let first = last.first, first.isASCII, first.isNumber else { return false }
        let numbers = labels.map { UInt8($0) }
        guard numbers.count == 4, !labels.contains(where: { $0.count > 1 && $0.hasPrefix("0") }), let one = numbers[0],
            let two = numbers[1], numbers[2] != nil, numbers[3] != nil
        else { return true }
        switch one {
        case 0, 10, 127: return true
        case 100: return (64...127).contains(two)
        case 169: return two == 254
        case 172: return (16...31).contains(two)
        case 192: return two == 168
        default: return one >= 224
        }
    }

    /// The host of an address in lower case, one of version 6 with its brackets: `example.org` for `https://user@Example.org:8080/a`.
    private static func host(of address: String) -> String {
        let rest = address.firstRange(of: "//").map { address[$0.upperBound...] } ?? ""
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
            .lowercased()
        if place.hasPrefix("[") { return place }
        return String(place.prefix { $0 != ":" })
    }

    private static func isLocal(ofVersion6 text: Substring) -> Bool {
        // `::`, `::1` and addresses of version 4 in those of version 6; unique local, link-local and multicast ones.
        text.hasPrefix("::")
            || ["fc", "fd", "fe8", "fe9", "fea", "feb", "ff", "0:", "0000:", "64:ff9b"].contains { text.hasPrefix($0) }
    }
}

/// Runs another program and reads what it writes.
package struct Program {
    package enum Errors {
        /// Standard error of this process.
        case inherited
        /// Read together with standard output.
        case merged
    }

    private let executable: String
    private let errors: Errors
    private let environment: [String: String]

    package init(
        executable: String, errors: Errors = .inherited,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.executable = executable
        self.errors = errors
        self.environment = environment
    }

    /// Runs the program with empty standard input until it exits.
    ///
    /// - Parameter received: called with each piece of output as it arrives.
    /// - Returns: the exit status, or 128 plus the number of the signal that ended the program.
    /// - Throws: `SystemError` when it cannot be started.
    package func run(_ arguments: [String], received: ([UInt8]) -> Void) throws(SystemError) -> Int32 {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { readEnd.close() }
        var launch = ProgramLaunch(
            executable: executable, arguments: [executable] + arguments,
            environment: environment.map { "\($0.key)=\($0.value)" })
        launch.input = .nothing
        launch.output = .descriptor(writeEnd)
        if errors == .merged { launch.errors = .descriptor(writeEnd) }
        let started = Result { () throws(SystemError) in try launch.start() }
        writeEnd.close()
        let process = try started.get()
        var piece: [UInt8] = []
        while (try? readEnd.appendPiece(to: &piece, atMost: 16 * 1024)) == true {
            received(piece)
            piece.removeAll(keepingCapacity: true)
        }
        return switch try process.wait() {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
    }
}
