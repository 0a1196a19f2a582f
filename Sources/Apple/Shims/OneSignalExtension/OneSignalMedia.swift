#if os(Linux)
    @_spi(Overlay) import UserNotifications

    /// The files that a payload of OneSignal's names. Source: OneSignal-iOS-SDK, `OneSignalAttachmentHandler.m`.
    enum OneSignalMedia {
        /// Extensions of files that the SDK attaches.
        private static let extensions: Set<String> = [
            "aiff", "wav", "mp3", "mp4", "jpg", "jpeg", "png", "gif", "mpeg", "mpg", "avi", "m4a", "m4v",
        ]

        private static let extensionsByType = [
            "audio/aiff": "aiff", "audio/x-wav": "wav", "audio/mpeg": "mp3", "video/mp4": "mp4", "image/jpeg": "jpeg",
            "image/jpg": "jpg", "image/png": "png", "image/gif": "gif", "video/mpeg": "mpeg", "video/mpg": "mpg",
            "video/avi": "avi", "sound/m4a": "m4a", "video/m4v": "m4v",
        ]

        /// The attachments of a push, one after another, sorted by identifier: the SDK's own order is that of a dictionary. Blocks until all
        /// are downloaded, as the SDK does.
        static func attachments(_ files: [String: String]) -> [UNNotificationAttachment] {
            files.sorted { $0.key < $1.key }.compactMap { identifier, text in
                let text = text.trimmingCharacters(in: .whitespaces)
                do {
                    if let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) {
                        return try download(url, identifier)
                    }
                    return try resource(text, identifier)
                } catch {
                    StandIn.reportFailure("OneSignalExtension: \(text) (att) is not attached", error)
                    return nil
                }
            }
        }

        private static func resource(_ name: String, _ identifier: String) throws -> UNNotificationAttachment {
            let parts = name.components(separatedBy: ".")
            guard let last = parts.last, parts.count > 1,
                let url = Bundle.main.url(
                    forResource: parts.dropLast().joined(separator: "."), withExtension: last)
            else { throw StandIn.Failure("the extension's bundle has no such file") }
            return try UNNotificationAttachment(identifier: identifier, url: url)
        }

        private final class Download: @unchecked Sendable {
            // Unchecked: written once before the semaphore is signaled, and read after it.
            var result: Result<UNNotificationAttachment, any Error>?
        }

        private static func download(_ url: URL, _ identifier: String) throws -> UNNotificationAttachment {
            let download = Download()
            let done = DispatchSemaphore(value: 0)
            URLSession.notedShared.downloadTask(with: url) { file, response, error in
                download.result = Result {
                    try StandIn.attachment(identifier, file, response, error) {
                        fileExtension(url, mimeType: $0.mimeType)
                    }
                }
                done.signal()
            }.resume()
            done.wait()
            guard let result = download.result else { throw URLError(.unknown) }
            return try result.get()
        }

        /// In this order: the query's `filename`, the MIME type, the path, and any other value of the query.
        static func fileExtension(_ url: URL, mimeType: String?) -> String? {
            let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            func supported(_ name: String?) -> String? {
                guard let parts = name?.components(separatedBy: "."), parts.count > 1, let last = parts.last else {
                    return nil
                }
                return extensions.contains(last) ? last : nil
            }
            return supported(query.first { $0.name == "filename" }?.value)
                ?? mimeType.flatMap { extensionsByType[$0] }
                ?? (extensions.contains(url.pathExtension) ? url.pathExtension : nil)
                ?? query.lazy.compactMap { supported($0.value) }.first
        }
    }
#endif
