#if os(Linux)
    package import Foundation
    package import FoundationNetworking

    /// The common part of the stand-ins for SDKs: their reports about the push in progress, and the files that they download.
    package enum StandIn {
        /// Reports work that the SDK would have done: what was done in its place, and what was not.
        package static func report(_ message: String) {
            UNUserNotificationCenter.current().report("extension.stand-in", message)
        }

        /// Reports work of the SDK that failed here, and might fail on a device too.
        package static func reportFailure(_ message: String, _ error: any Error) {
            // The text of a URLError has the milliseconds that it took.
            let code = (error as? URLError).map { "\(NSURLErrorDomain) \($0.errorCode)" }
            let reason = code ?? error.localizedDescription
            UNUserNotificationCenter.current().report("extension.reported", "\(message): \(reason)")
        }

        /// An error in words.
        package static func error(_ text: String) -> NSError {
            NSError(domain: "StandIn", code: 0, userInfo: [NSLocalizedDescriptionKey: text])
        }

        /// Attaches a downloaded file. The status of the response does not matter, as to the SDKs: what is no picture is refused later.
        ///
        /// - Parameters:
        ///   - file: where `URLSession` left it.
        ///   - fileExtension: the extension that the SDK chooses for a response; nil or empty for none.
        /// - Throws: why there is no attachment.
        package static func attachment(
            _ identifier: String, _ file: URL?, _ response: URLResponse?, _ error: (any Error)?,
            fileExtension: (URLResponse) -> String?
        ) throws -> UNNotificationAttachment {
            if let error { throw error }
            guard let file, let response else { throw URLError(.badServerResponse) }
            let name = UUID().uuidString + (fileExtension(response).map { "." + $0 } ?? "")
            let place = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
            try FileManager.default.moveItem(at: file, to: place)
            do {
                return try UNNotificationAttachment(identifier: identifier, url: place)
            } catch {
                let status = (response as? HTTPURLResponse)?.statusCode ?? 200
                throw status == 200 ? error : Self.error("the server answered with status \(status)")
            }
        }
    }
#endif
