import PayloadJSON
import PushModel

/// The key of files that `xcrun simctl push` takes.
struct SimulatorRules: RuleCheck {
    static let rules = [bundleType, keyInRequest]
    static let bundleKey: StaticString = "Simulator Target Bundle"

    let run: LintRun

    func check(_ member: LintMember, _ around: APNsSurroundings) {
        if !member.value.isString {
            report(
                Self.bundleType, "the bundle identifier must be a string, not \(member.value.kindName)",
                at: member.value)
        } else if around.source != .bare {
            report(
                Self.keyInRequest, "the simulator alone reads this name; APNs hands it to the app as data", at: member)
        }
    }

    static let bundleType = Rule(
        "simulator.bundle-type", .error, "a Simulator Target Bundle that is not a string",
        "It is the bundle identifier of the app that a dropped .apns file is for.", source: .simulator,
        failing: #"{"Simulator Target Bundle":7,"aps":{"alert":"Hi"}}"#,
        passing: #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#)
    static let keyInRequest = Rule(
        "simulator.key-in-request", .warning, "Simulator Target Bundle in a payload for APNs",
        "Only the simulator reads it. APNs counts its bytes and hands it to the app as data. The app's identifier goes into apns-topic.",
        source: .simulator,
        failing: Example.request(
            #""apns-push-type":"alert""#, #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#),
        passing: Example.alertRequest)
}
