import CPushConsolePage
import PushSystem

/// A file of the web console: a page of HTML, its styles and its modules.
///
/// The page is plain HTML, CSS and JavaScript, as it stands in `Sources/Pictures/CPushConsolePage/Page`, and asks nobody but the server that it came
/// from: the policy in its headers allows nothing else.
package struct ConsoleFile: Sendable, Equatable {
    /// Such as `index.html`.
    package let name: String
    package let bytes: [UInt8]
    /// The value of `Content-Type`.
    package let type: String
    /// The value of `ETag`, with its quotes.
    package let tag: String

    /// Makes a file that is not in the folder.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        type = Self.types[ending] ?? "application/octet-stream"
        var hash = FNV1a()
        hash.add(bytes)
        tag = "\"\(String(hash.value, radix: 16))\""
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    package static let all: [ConsoleFile] = (0..<console_file_count()).compactMap { index in
        guard let file = unsafe console_file_at(index) else { return nil }
        // SOUND: name and bytes are constants of the program, and the count is theirs.
        let bytes = unsafe UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)
        return unsafe ConsoleFile(name: String(cString: file.pointee.name), bytes: Array(bytes))
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The file for a path, such as `/` or `/console/app.js`; nil for any other path.
    ///
    /// - Parameter path: without a query.
    package static func at(_ path: String) -> ConsoleFile? {
        if path == "/" { return byName["index.html"] }
        guard path.hasPrefix(folder) else { return nil }
        return byName[String(path.dropFirst(folder.count))]
    }

    /// The path of all files but the page itself, which is `/`.
    package static let folder = "/console/"

    /// The headers of an answer with the file, besides its type and tag: no script, style or request that is not the server's own, in no
    /// frame, and no address given away.
    package static let headers: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-cache"),
    ]
}
