/// Lints the documents of an editor, which need not be saved, with the configuration that `pushpipe lint` finds for their files.
///
/// Configurations are read once, and again after `forgetConfigurations`.
package final class DocumentLinter {
    private let reader: ConfigurationFinder.Reader
    private var finder: ConfigurationFinder

    /// - Parameter reader: reads a configuration file.
    package init(reader: @escaping ConfigurationFinder.Reader) {
        self.reader = reader
        finder = ConfigurationFinder(.nearest, LintOptions(), reader: reader)
    }

    /// Reads configurations again, because they may have changed.
    package func forgetConfigurations() { finder = ConfigurationFinder(.nearest, LintOptions(), reader: reader) }

    /// A text, and what is known about it.
    package struct Document {
        package let text: [UInt8]
        /// Absolute; whether there is a file does not matter.
        package let path: String
        /// True if something else may be kept in files of such a name. Then the text decides.
        package let isInDoubt: Bool
        /// False if the configuration cannot be read.
        package var usesConfiguration = true

        package init(text: [UInt8], path: String, isInDoubt: Bool) {
            self.text = text
            self.path = path
            self.isInDoubt = isInDoubt
        }
    }

    /// The findings in a document; none if the configuration excludes its file, or if it contains no payloads.
    package func lint(_ document: Document) throws(ConfigurationError) -> [Diagnostic] {
        try linter(of: document)?.lint(document.text).diagnostics ?? []
    }

    /// True if a document is linted: the configuration does not exclude its file, and it may contain payloads.
    package func lints(_ document: Document) throws(ConfigurationError) -> Bool { try linter(of: document) != nil }

    /// The document with all edits of findings applied, as a fixed file would have it.
    package func fix(_ document: Document) throws(ConfigurationError) -> [UInt8] {
        try linter(of: document)?.fix(document.text).bytes ?? document.text
    }

    private func linter(of document: Document) throws(ConfigurationError) -> TextWorker? {
        let profile =
            document.usesConfiguration
            ? try finder.profile(forFile: document.path) : LintProfile([], LintOptions())
        if profile.excludes(document.path) { return nil }
        if document.isInDoubt, !profile.includes(document.path),
            !PayloadRecognition(profile.options).mayHavePayloads(document.text[...])
        {
            return nil
        }
        var linter = profile.makeWorker()
        if document.usesConfiguration,
            let beside = try finder.suppressions(forFile: document.path, named: document.path)
        {
            linter.suppressions = beside.suppressions
        }
        return linter
    }
}
