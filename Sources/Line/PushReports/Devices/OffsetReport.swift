package import PayloadJSON
package import PushStore
package import PushText

/// Writes how far a store has read the streams of an engine: as NDJSON lines, or as columns of text.
package struct OffsetReport {
    private let style: TextStyle
    private let isText: Bool

    package init(style: TextStyle, isText: Bool) {
        self.style = style
        self.isText = isText
    }

    package func append(_ offsets: [StreamOffset], to out: inout ByteBuffer) {
        if isText { out.appendText(style.dim("stream                            last offset\n")) }
        for offset in offsets { append(offset, to: &out) }
    }

    private func append(_ offset: StreamOffset, to out: inout ByteBuffer) {
        guard !isText else {
            var line = FlowingLine(style, indent: 2)
            line.appendCell(TextStyle.clean(offset.stream), to: 34)
            line.append(TextStyle.clean(offset.offset))
            return out.appendText(line.text + "\n")
        }
        out.append("{\"stream\":")
        out.appendJSONString(offset.stream)
        // Kafka's are numbers, Redis' are not.
        if let number = UInt64(offset.offset), String(number) == offset.offset {
            out.append(",\"offset\":")
            out.append(number)
        } else {
            out.appendMember("offset", offset.offset)
        }
        out.append("}\n")
    }
}
