import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends news to phones. A real one has a client of APNs here; this one speaks HTTP/1.1, so that it needs no other package.
public struct NewsSender: Sendable {
    /// APNs, or a stand-in for it.
    private let service: URL
    private let app: String
    /// Tokens that are dead, and must not be sent to any more.
    public private(set) var deadTokens: Set<String> = []

    /// What APNs answers besides 200 and 410.
    public struct Refusal: Error, Equatable {
        /// Of HTTP.
        public var status: Int
        /// APNs' word.
        public var reason: String

        /// A refusal with a status and a reason.
        public init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }
    }

    /// - Parameters:
    ///   - service: APNs, or a stand-in for it.
    ///   - app: a bundle identifier.
    public init(service: URL, app: String) { (self.service, self.app) = (service, app) }

    /// Shows a text on a phone. A later text on the same subject takes its place.
    public mutating func send(_ text: String, about subject: String, to token: String) async throws {
        guard !deadTokens.contains(token) else { return }
        var request = URLRequest(url: service.appendingPathComponent("3/device/\(token)"))
        request.httpMethod = "POST"
        request.setValue(app, forHTTPHeaderField: "apns-topic")
        request.setValue("alert", forHTTPHeaderField: "apns-push-type")
        request.setValue(subject, forHTTPHeaderField: "apns-collapse-id")
        request.httpBody = try JSONSerialization.data(withJSONObject: ["aps": ["alert": text]])
        let (data, response) = try await URLSession.shared.data(for: request)
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: return
        case 410: deadTokens.insert(token)
        case let status:
            let body = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            throw Refusal(status: status ?? 0, reason: body?["reason"] as? String ?? "")
        }
    }
}
