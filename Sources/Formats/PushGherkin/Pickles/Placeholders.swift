/// Replaces `<header>` with the values of one examples row.
///
/// One pass: each `<` is matched against the headers in the order of the columns, and inserted values are not searched
/// again.
struct Placeholders {
    private struct Column {
        let placeholder: [UInt8]
        let value: [UInt8]
    }

    private var columns: [Column] = []

    init() {}

    init(header: TableRow?, row: TableRow?) {
        guard let header, let row else { return }
        columns = zip(header.cells, row.cells).map { header, cell in
            Column(placeholder: Array("<\(header.value)>".utf8), value: Array(cell.value.utf8))
        }
    }

    func replaced(in text: String) -> String {
        let opening = UInt8(ascii: "<")
        guard !columns.isEmpty, text.utf8.contains(opening) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == opening,
                let column = columns.first(where: { bytes[index...].starts(with: $0.placeholder) })
            {
                result += column.value
                index += column.placeholder.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result[...].text
    }
}
