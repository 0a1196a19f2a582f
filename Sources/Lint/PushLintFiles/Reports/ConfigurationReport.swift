import PushFiles
import PushJSON
package import PushLint
import PushText

/// The settings that apply to a file, and the line of a configuration that each comes from: `pushpipe config show` prints them.
package enum ConfigurationReport {
    /// - Parameters:
    ///   - path: as it was typed; nil for the working directory, whose settings are those of standard input.
    ///   - finder: finds and reads the configurations.
    ///   - others: settings that are not the linter's.
    package static func text(
        for path: String?, _ finder: ConfigurationFinder, others: [(place: String, setting: String)] = []
    ) throws(ConfigurationError) -> String {
        let absolute = path.map { FilePaths.absolute($0) }
        let profile = try finder.profile(forFile: absolute)
        var lines: [(place: String, setting: String)] = []
        for (configuration, applied) in profile.layers {
            let file = FilePaths.shown(configuration.path)
            if configuration.lines.isEmpty, others.isEmpty { lines.append((file, "says nothing")) }
            // What is said for single files counts more, wherever it stands.
            let general = configuration.lines.filter { $0.perFile == nil }
            let perFile = configuration.lines.filter { $0.perFile != nil }
            for line in general + perFile {
                var setting = "\(line.key): \(line.value)"
                if let index = line.perFile {
                    guard applied.contains(index) else { continue }
                    setting = "per-file \(configuration.perFile[index].files.text): \(line.value)"
                }
                if line.key == "exclude", let absolute, configuration.excludes(absolute) {
                    setting += "  (leaves this file out)"
                }
                if line.key == "files", let absolute, configuration.includes(absolute) {
                    setting += "  (includes this file)"
                }
                lines.append(("\(file):\(line.line)", setting))
            }
        }
        if let path, let absolute, let beside = try finder.suppressions(forFile: absolute, named: path) {
            for suppression in beside.suppressions {
                lines.append(
                    ("\(TextStyle.clean(beside.name)):\(suppression.line)", "ignore: \(suppression.description)"))
            }
        }
        lines += others
        let width = lines.map { TerminalText.width($0.place) }.max() ?? 0
        let name = TextStyle.clean(path ?? "working directory")
        if lines.isEmpty {
            return
                "\(name): the defaults apply; there is no .pushpipe.yml \(path == nil ? "here" : "in its folder") or above\n"
        }
        return "\(name)\n"
            + lines.map { "  \(TerminalText.padded($0.place, to: width))  \(TextStyle.clean($0.setting))\n" }.joined()
    }
}

extension Suppression {
    /// `aps in record 3 at /aps/alert`
    fileprivate var description: String {
        text + (record.map { " in record \($0)" } ?? "")
            + (path.isEmpty ? "" : " at /" + path.map(JSONPointer.escape).joined(separator: "/"))
    }
}
