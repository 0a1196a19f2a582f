import PushFiles
import PushJSON
import PushJSONSchema
public import PushLint
package import PushLintYAML
import PushSystem
import PushText

extension LintConfiguration {
    /// Reads the contents of a `.pushpipe.yml`.
    ///
    /// - Parameters:
    ///   - yaml: the contents.
    ///   - path: the name of the file in errors.
    ///   - directory: the absolute path that the names of schemas are relative to.
    /// - Throws: an error with line, column and the allowed values.
    public init(
        yaml: String, path: String = Self.fileName, directory: String = ""
    ) throws(ConfigurationError) {
        try self.init(yaml: Array(yaml.utf8), path: path, directory: directory)
    }

    /// Reads the contents of a `.pushpipe.yml`, which need not be UTF-8: that is an error.
    package init(
        yaml: [UInt8], path: String = Self.fileName, directory: String = ""
    ) throws(ConfigurationError) {
        try self.init(yaml: yaml, path: path, directory: directory, schemas: .files)
    }
}

extension SchemaReader {
    package static let files = files(below: nil)

    /// - Parameter folders: those whose files are read, without links on their paths; nil for all.
    package static func files(below folders: [String]?) -> SchemaReader {
        SchemaReader { paths throws(ConfigurationError) in
            let files = try SchemaFiles(paths, below: folders)
            return { path, scope throws(ConfigurationError) in
                try PayloadContract(schema: path, from: files, for: scope)
            }
        }
    }
}

/// Reads schemas, and the files that they refer to: those that were named, by path or by their `$id`, and those in or below the
/// folder of a named one. Each file is read once. Nothing is fetched from a network.
package final class SchemaFiles {
    /// Files of one schema.
    private static let maximumFiles = 1000

    private var documents: [String: SchemaDocument] = [:]
    private var schemas: [String: Schema] = [:]
    /// The documents that were named.
    private var named: [SchemaDocument] = []
    private let folders: [String]?

    /// - Parameters:
    ///   - paths: the schemas that may refer to each other. They may be pipes; those that a configuration names may not, because a
    ///     checkout of somebody else's could make the linter wait for ever.
    ///   - folders: those whose files are read, without links on their paths; nil for all.
    package init(_ paths: [String] = [], below folders: [String]? = nil) throws(ConfigurationError) {
        self.folders = folders
        for path in paths { named.append(try document(FilePaths.absolute(path), mayBePipe: true)) }
    }

    /// The compiled schema in a file.
    func schema(_ path: String) throws(ConfigurationError) -> Schema {
        let path = FilePaths.absolute(path)
        if let schema = schemas[path] { return schema }
        let document = try document(path)
        if !named.contains(where: { $0 === document }) { named.append(document) }
        var failure: ConfigurationError?
        var problems: [SchemaProblem] = []
        let schema = Schema(document) { uri in
            guard failure == nil else { return nil }
            do throws(ConfigurationError) {
                return try self.find(uri, from: document)
            } catch {
                failure = error
                return nil
            }
        } report: {
            problems = $0
        }
        guard let schema else { throw failure ?? Self.error(problems) }
        schemas[path] = schema
        return schema
    }

    private func find(_ uri: String, from document: SchemaDocument) throws(ConfigurationError) -> SchemaDocument? {
        if let known = named.first(where: { $0.uri == uri || $0.id == uri }) { return known }
        let path = document.path(of: uri) ?? named.lazy.compactMap { $0.path(of: uri) }.first
        guard let path, documents.count < Self.maximumFiles, FileBytes.isPresent(path) else { return nil }
        return try self.document(path)
    }

    private func document(_ path: String, mayBePipe: Bool = false) throws(ConfigurationError) -> SchemaDocument {
        if let document = documents[path] { return document }
        let name = FilePaths.shown(path)
        if let folders, case let target = (try? FileSystem.resolved(path)) ?? path,
            !folders.contains(where: { $0 == "/" || target.hasPrefix($0 + "/") })
        {
            throw ConfigurationError(path: name, message: "not below a folder whose files may be read")
        }
        let bytes = try ConfigurationFinder.bytes(
            of: path, limit: FileBytes.maximumDocumentBytes, mayBePipe: mayBePipe)
        var problems: [SchemaProblem] = []
        guard let document = SchemaDocument(bytes, name: name, path: path, report: { problems = [$0] }) else {
            throw Self.error(problems)
        }
        documents[path] = document
        return document
    }

    /// The first mistake, and how many more there are.
    private static func error(_ problems: [SchemaProblem]) -> ConfigurationError {
        guard let first = problems.first else {
            return ConfigurationError(path: "", message: "the schema is not valid")
        }
        let more = problems.count - 1
        let count = more == 0 ? "" : more == 1 ? "; 1 more mistake" : "; \(more) more mistakes"
        let place = first.pointer.isEmpty ? "" : " (at \(TerminalText.clean(first.pointer)))"
        return ConfigurationError(
            path: first.document, place: .init(line: first.position.line, column: first.position.column),
            message: TerminalText.clean(first.message) + place + count)
    }
}
