#if os(Linux)
    import Foundation
    package import FoundationNetworking

    /// The name that a response suggests for a file. Foundation for Linux says `Unknown` for every response over HTTP.
    ///
    /// Apple's documentation of `URLResponse.suggestedFilename`: the name in the header Content-Disposition, else the last component of the URL,
    /// else its host; and most often with the extension for the MIME type. When exactly an extension is added is not documented: here
    /// when the name has none of those that notifications know.
    package enum SuggestedFilename {
        package static func of(_ response: URLResponse) -> String? {
            let header = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Disposition")
            let component = response.url?.lastPathComponent ?? ""
            let name =
                header.flatMap(filename(inDisposition:)).map(withoutFolders)
                ?? (component.isEmpty || component == "/" ? nil : component)
                ?? response.url?.host ?? "Unknown"
            guard let type = response.mimeType?.lowercased(), let wanted = extensions[type],
                AttachmentType.forExtension((name as NSString).pathExtension) == nil
            else { return name }
            return name + "." + wanted
        }

        /// The extensions that Apple's types prefer, for what notifications show.
        private static let extensions = [
            "image/jpeg": "jpeg", "image/jpg": "jpeg", "image/gif": "gif", "image/png": "png",
            "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/wav": "wav", "audio/x-wav": "wav",
            "audio/vnd.wave": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a",
            "video/mpeg": "mpg", "video/mp4": "mp4", "video/avi": "avi", "video/x-msvideo": "avi",
        ]

        /// The parameter `filename*` or `filename` of a Content-Disposition (RFC 6266, and RFC 8187 for its encoding).
        static func filename(inDisposition header: String) -> String? {
            if let extended = header.firstMatch(of: /(?i)filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/),
                let name = String(extended.1).removingPercentEncoding, !name.isEmpty
            {
                return name
            }
            if let quoted = header.firstMatch(of: /(?i)filename\s*=\s*"((?:[^"\\]|\\.)*)"/), !quoted.1.isEmpty {
                return String(quoted.1).replacing(/\\(.)/) { String($0.1) }
            }
            let plain = header.firstMatch(of: /(?i)filename\s*=\s*([^;"\s]+)/)
            return plain.map { String($0.1) }
        }

        /// A server must not choose the folder.
        private static func withoutFolders(_ name: String) -> String {
            let name = name.replacingOccurrences(of: "/", with: "_")
            return name.hasPrefix(".") ? "_" + name.dropFirst() : name
        }
    }
#endif
