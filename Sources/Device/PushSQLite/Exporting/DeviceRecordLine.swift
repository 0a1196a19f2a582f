import PayloadJSON
import PushStore
import PushText

/// A device record as a line of an export: `{"installation":{…}}`, `{"held":{…}}`,
/// `{"live_activity":{…}}`, `{"removal":{…}}`.
enum DeviceRecordLine {
    static func append(_ record: DeviceRecord, to out: inout ByteBuffer) {
        out.append("{\"")
        out.appendText(record.kind.name)
        out.append("\":{")
        var isFirst = true
        for column in record.kind.columns {
            guard let value = record.values[column.name] else { continue }
            if !isFirst { out.append(",") }
            isFirst = false
            out.appendJSONString(column.name)
            out.append(":")
            switch value {
            case .text(let text): out.appendJSONString(text)
            case .integer(let number): out.appendText(String(number))
            }
        }
        out.append("}}\n")
    }

    /// Nil for a line of another kind.
    static func read(_ root: JSONView) throws(ExportError) -> DeviceRecord? {
        for kind in DeviceRecord.Kind.all {
            guard let object = root[pointer: "/\(kind.name)"] else { continue }
            guard object.isObject else { throw ExportError("\(kind.name) is not an object") }
            var values: [String: DeviceRecord.Value] = [:]
            for (key, value) in object.members {
                guard let column = kind.columns.first(where: { $0.name == key.string }) else {
                    throw ExportError("\(kind.name) has no member \"\(TextStyle.clean(key.string))\"")
                }
                let read: DeviceRecord.Value? =
                    column.isText ? value.string.map { .text($0.string) } : value.int64.map { .integer($0) }
                guard let read else {
                    throw ExportError("\(column.name) is not \(column.isText ? "a string" : "a number")")
                }
                values[column.name] = read
            }
            for column in kind.columns where !column.isOptional && values[column.name] == nil {
                throw ExportError("\(column.name) is missing")
            }
            return DeviceRecord(kind: kind, values: values)
        }
        return nil
    }
}
