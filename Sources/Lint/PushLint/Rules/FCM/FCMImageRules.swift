import PayloadJSON
import PushDecoding
import PushModel

/// Images in messages for FCM that no Apple device shows: only a service extension puts them there.
struct FCMImageRules: RuleCheck {
    static let rules = [notMutable]
    let run: LintRun

    static let notMutable = Rule.fcm(
        "fcm.image-not-mutable", .warning, "an image for Apple devices without mutable-content",
        "iOS shows no image by itself, and FCM does not add mutable-content. A service extension finds the address under fcm_options, and the system starts it only if mutable-content is 1.",
        source: .fcmImage,
        failing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"sound":"default"}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#,
        passing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"mutable-content":1}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#
    )

    /// - Parameter isBare: true if it is a message for an Admin SDK.
    func check(_ message: LintNode, isBare: Bool) {
        let apns = message["apns"]
        // Without the block, nothing says that it is for an Apple device.
        guard apns?.isObject ?? (run.options.platform == .ios) else { return }
        let aps = apns?["payload"]?["aps"]
        if aps?["mutable-content"]?.view.isOne ?? false { return }
        if isBare, (aps?["mutableContent"] ?? aps?["mutable-content"])?.kind == .true { return }
        func image(_ block: LintNode?) -> LintNode? {
            let image = block?["image"] ?? (isBare ? block?["imageUrl"] : nil)
            return image?.swiftString.flatMap { $0.isEmpty ? nil : image }
        }
        let options = apns?.either("fcm_options", "fcmOptions")
        guard let image = image(options) ?? image(message["notification"]) else { return }
        report(
            Self.notMutable, "no service extension gets the image: apns.payload.aps has no mutable-content 1", at: image
        )
    }
}
