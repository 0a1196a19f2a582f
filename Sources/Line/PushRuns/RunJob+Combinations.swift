import ExtensionHosting
import PushDecoding
import PushModel
import PushPipeline
import PushRedaction

extension RunJob {
    /// Why these options cannot be combined: a sentence; nil if they can.
    ///
    /// - Parameter namesRemoval: whether `--removal` or `--removal-wait` was given.
    package func conflict(namesRemoval: Bool) -> String? {
        let paths = [
            ("--devices", devicesPath), ("--preferences", preferencesPath), ("--mapping", typesPath),
            ("--store", storePath), ("--extension", serviceExtension?.executable),
            ("--attachments", serviceExtension?.attachments), ("--redact-key-file", redaction?.keyPath),
        ]
        if let (option, _) = paths.first(where: { $1 == "" }) { return "\(option) needs a file name." }
        let rule = configuration.decoding.replacement
        if serviceExtension != nil, rule != nil {
            return "--replace-by acts as an extension and cannot be combined with --extension."
        }
        if namesRemoval, serviceExtension == nil, rule == nil {
            return "--removal and --removal-wait need --extension or --replace-by."
        }
        guard let parts = redaction?.parts, parts != .tokens else { return nil }
        if let rule, rule.comparison != .text {
            return "--redact \(parts) makes every id a string; use --replace-compare text."
        }
        return serviceExtension == nil
            ? nil
            : "--redact \(parts) cannot be combined with --extension, which would get digests; use --redact tokens."
    }
}
