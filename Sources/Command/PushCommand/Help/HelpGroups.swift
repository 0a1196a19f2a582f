/// The order of options in a help that is longer than a screen: common ones first.
///
/// A table of names. Their words stand where the options are declared, and what is not in the table keeps its section.
struct HelpGroup {
    let title: String
    /// Options that `-h` shows, too.
    let common: [String]
    let others: [String]

    init(_ title: String, _ common: [String], _ others: [String] = []) {
        self.title = title
        self.common = common
        self.others = others
    }

    static let all = [
        HelpGroup("Measurement", ["--generate", "--save", "--compare", "--fail-on-regression"]),
        HelpGroup("Output", ["--parts", "--output", "--key-column"], ["--by", "--force", "--first-seq", "--no-end"]),
        HelpGroup("Sources", ["--project", "--target", "--module", "--package", "--no-packages"]),
        HelpGroup(
            "Addresses", ["--listen"],
            ["--proxy", "--binary-gateway", "--feedback", "--tls-cert", "--tls-key", "--print-ca"]),
        HelpGroup(
            "Input", ["--at"],
            [
                "--provider", "--framing", "--skip-prefix", "--relaxed", "--max-record", "--glob", "--hidden",
                "--no-ignore", "--stdin-filename", "--show-files",
            ]),
        HelpGroup("Rules", ["--severity", "--select", "--ignore", "--extend"], ["--schema", "--statistics"]),
        HelpGroup("Fixes", ["--fix", "--dry-run"]),
        HelpGroup("Messages", ["--device", "--fit"], ["--topic", "--platform", "--budget", "--fit-order"]),
        HelpGroup("Store", ["--store", "--seq"], ["--clock", "--resume", "--placed"]),
        HelpGroup(
            "Report", ["--format", "--rules", "--emit", "--budget-report", "--sizes", "--update"],
            ["--emit-as", "--output-file", "--report-file", "--no-fold", "--watch", "--stats"]),
        HelpGroup("Screens", ["--screen", "--screen-file"], ["--follow"]),
        HelpGroup("Exit status", ["--fail-on", "--strict", "--exit-zero"], ["--allow-empty"]),
        HelpGroup("Configuration", ["--config"], ["--no-config", "--add-ignores"]),
        HelpGroup("Requests", ["--record", "--faults"], ["--webhook"]),
        HelpGroup(
            "Senders", ["--no-auth"],
            [
                "--key-id", "--team-id", "--provider-key", "--one-stream-first", "--service-account",
                "--expo-access-token", "--access-key", "--allow-origin",
            ]),
        // These have the titles of their declarations.
        HelpGroup("Devices", ["--devices"]),
        HelpGroup("Service extension", ["--extension"]),
        HelpGroup("Replacement by an id in the payload", ["--replace-by"]),
        HelpGroup("Privacy", []),
        HelpGroup("Answers from the field", []),
        HelpGroup("Appearance", []),
        HelpGroup("Options", ["--quiet", "--version", "--help"]),
    ]
}
