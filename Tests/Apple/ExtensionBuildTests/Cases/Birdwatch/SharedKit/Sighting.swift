import Foundation

/// Birds that somebody has seen.
public struct Sighting {
    /// The name of the bird.
    public let bird: String
    /// How many.
    public let count: Int

    /// Reads a push.
    public init?(userInfo: [AnyHashable: Any]) {
        guard let bird = userInfo["bird"] as? String else { return nil }
        self.bird = bird
        count = userInfo["count"] as? Int ?? 1
    }

    /// What to show.
    public var title: String { String.localizedStringWithFormat(NSLocalizedString("birds", comment: ""), count) }
}
