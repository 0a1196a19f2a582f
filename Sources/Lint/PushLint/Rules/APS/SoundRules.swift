import PayloadJSON
import PushModel

/// The member `sound` of `aps`.
struct SoundRules: RuleCheck {
    static let rules = [soundName, soundVolume, soundNotCritical, soundKey, soundFormat]
    let run: LintRun

    func check(_ sound: LintNode) {
        if sound.isString { return checkFile(sound) }
        guard sound.isObject else {
            return reportKind(APSRules.wrongType, sound, "sound", expected: "a string or an object")
        }
        sound.forEachMember(checkKey)
        if sound["name"] == nil { report(Self.soundName, "a sound object needs a name", at: sound) }
        // Observed: pushy issue 686 writes true. What devices make of it is not documented.
        if let critical = sound.member("critical"), APSContent.isMeantAsOne(critical.value) {
            APSRules(run: run).checkFlag(critical, critical.value)
        } else if !hasMisspelledFlag(sound) {
            report(
                Self.soundNotCritical,
                "only a critical alert takes an object, with \"critical\": 1; otherwise sound is a string", at: sound)
        }
    }

    /// True if `critical` is meant by a key that is reported as misspelled.
    private func hasMisspelledFlag(_ sound: LintNode) -> Bool {
        guard sound["critical"] == nil else { return false }
        var isMisspelled = false
        sound.forEachMember { if Self.keys.lookAlike($0.name)?.name == "critical" { isMisspelled = true } }
        return isMisspelled
    }

    static let soundName = Rule(
        "aps.sound-name", .error, "a sound object without a name",
        "The sound of a critical alert is an object of critical, name and volume. Without a name there is no sound to play.",
        source: .generating, failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"volume":0.8}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))
    static let soundNotCritical = Rule(
        "aps.sound-not-critical", .warning, "a sound object that is not critical",
        "The object is for critical alerts, with \"critical\": 1 and Apple's entitlement. For every other push sound is a string. What a device makes of the object is not documented.",
        source: .generating, failing: Example.aps(#""alert":"Storm","sound":{"name":"siren.caf","volume":0.8}"#),
        passing: Example.aps(#""alert":"Storm","sound":"siren.caf""#))

    private static let keys = NameList(["critical", "name", "volume"])

    static let soundKey = Rule(
        "aps.sound-key", .warning, "a key that a sound object does not have",
        "A sound object has critical, name and volume.", source: .generating,
        failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","loudness":1}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":1}"#))
    static let soundVolume = Rule(
        "aps.sound-volume", .warning, "a volume outside 0 to 1",
        "The volume of a critical alert is from 0, silent, to 1, full.", source: .generating,
        failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":80}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))

    private func checkKey(_ member: LintMember) {
        let value = member.value
        switch member.key {
        case "critical": break
        case "name":
            if value.isString {
                checkFile(value)
            } else {
                reportKind(APSRules.wrongType, value, "name", expected: "a string")
            }
        case "volume":
            if value.kind != .number {
                reportKind(APSRules.wrongType, value, "volume", expected: "a number")
            } else if let volume = value.view.double, !(0...1).contains(volume) {
                report(Self.soundVolume, "the volume is from 0 to 1", at: value)
            }
        default:
            report(
                Self.soundKey, "a sound has no key \"\(member.name)\"\(Self.keys.lookAlike(member.name)?.hint ?? "")",
                at: member)
        }
    }

    private static let otherFormats = [".mp3", ".m4a", ".aac", ".ogg", ".flac", ".wma", ".opus"]

    static let soundFormat = Rule(
        "aps.sound-format", .warning, "a sound file of a format that is not played",
        "Sounds are aiff, wav or caf files, under 30 seconds. With any other the default sound is played.",
        source: .sound, failing: Example.aps(#""alert":"Storm","sound":"siren.mp3""#),
        passing: Example.aps(#""alert":"Storm","sound":"siren.caf""#))

    private func checkFile(_ node: LintNode) {
        // SOUND: each byte is one of the string's.
        guard let string = node.string, unsafe string.raw.buffer.contains(UInt8(ascii: ".")) || string.hasEscapes else {
            return
        }
        let name = string.string
        guard let format = Self.otherFormats.first(where: { name.lowercased().hasSuffix($0) }) else { return }
        report(Self.soundFormat, "\(format) files are not played; sounds are aiff, wav or caf files", at: node)
    }
}
