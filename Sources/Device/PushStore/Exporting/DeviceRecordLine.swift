import PayloadJSON
import PushText

/// A device record as a line of an export: `{"installation":{…}}`, `{"held":{…}}`,
/// `{"live_activity":{…}}`, `{"removal":{…}}`.
enum DeviceRecordLine {
    static func append(_ record: DeviceRecord, to out: inout ByteBuffer) {
        out.append("{\"")
        out.appendText(record.kind.rawValue)
        out.append("\":{")
        var isFirst = true
        for (name, _) in DeviceRecord.columns(of: record.kind) {
            guard let value = record.values[name] else { continue }
            if !isFirst { out.append(",") }
            isFirst = false
            out.appendJSONString(name)
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
        for kind in DeviceRecord.Kind.allCases {
            guard let object = root[pointer: "/\(kind.rawValue)"] else { continue }
            guard object.isObject else { throw ExportError("\(kind.rawValue) is not an object") }
            var values: [String: DeviceRecord.Value] = [:]
            var members = object.members
            while let (key, value) = members.next() {
                guard let column = DeviceRecord.columns(of: kind).first(where: { $0.name == key.string }) else {
                    throw ExportError("\(kind.rawValue) has no member \"\(TextStyle.clean(key.string))\"")
                }
                let read: DeviceRecord.Value? =
                    column.isText ? value.string.map { .text($0.string) } : value.int64.map { .integer($0) }
                guard let read else {
                    throw ExportError("\(column.name) is not \(column.isText ? "a string" : "a number")")
                }
                values[column.name] = read
            }
            for name in DeviceRecord.requiredColumns(of: kind) where values[name] == nil {
                throw ExportError("\(name) is missing")
            }
            return DeviceRecord(kind: kind, values: values)
        }
        return nil
    }
}
