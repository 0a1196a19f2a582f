import PayloadJSON
import PushPipeline
import PushText

/// Places in inputs, in the form that editors and terminals open: `payloads.ndjson:7:12`.
enum SourceText {
    /// The beginning of a record.
    static func place(of source: RecordSource) -> String { place(source.position, in: source) }

    /// A place in a record; in words if nothing is known of its input.
    static func place(of position: TextPosition, in source: RecordSource?) -> String {
        guard let source else { return "line \(position.line), column \(position.column)" }
        return place(source.position(of: position), in: source)
    }

    private static func place(_ position: TextPosition, in source: RecordSource) -> String {
        let file = source.file == "-" ? "<stdin>" : TextStyle.clean(source.file)
        return "\(file):\(position.line):\(position.column)"
    }
}
