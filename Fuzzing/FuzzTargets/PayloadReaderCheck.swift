#if os(Linux)
    import ExtensionRuntime
    import Foundation

    /// What an extension's process reads of a payload by itself is what Foundation reads of it.
    enum PayloadReaderCheck {
        @Sendable static func make() -> FuzzTarget.Check {
            { bytes in
                guard let input = FuzzInput(bytes) else { return nil }
                let (own, isSkipped): (Any?, Bool) = input.text.withMemoryRebound(to: UInt8.self) { text in
                    var (reader, skipper) = (JSONReader(text), JSONReader(text))
                    let value = reader.value()
                    return (reader.isAtEnd ? value : nil, skipper.skipValue() && skipper.isAtEnd)
                }
                let text = Data(input.text)
                let other = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
                if isSkipped, other == nil { return "skips what Foundation refuses" }
                guard let own else { return nil }
                guard isSkipped else { return "skips less than it reads" }
                guard let other else { return "reads what Foundation refuses" }
                var written: [UInt8] = []
                guard JSONWriter.append(own, to: &written),
                    let again = try? JSONSerialization.jsonObject(with: Data(written), options: .fragmentsAllowed)
                else { return "cannot write what it has read" }
                if !isSame(own, other) { return "reads another value than Foundation" }
                // Foundation drops byte order marks that are in a text after an escape.
                if String(decoding: written, as: UTF8.self).unicodeScalars.contains("\u{FEFF}") { return nil }
                // As Foundation does, 1.0 is written as 1.
                return isSame(again, other, withKinds: false) ? nil : "writes another value than it has read"
            }
        }

        /// Whether two values are the same to the byte and to the kind of number. `isEqual` normalizes texts, and tells Booleans apart that
        /// are the same.
        private static func isSame(_ one: Any, _ other: Any, withKinds: Bool = true) -> Bool {
            switch (one, other) {
            case (is NSNull, is NSNull): return true
            case (let one as String, let other as String): return one.utf8.elementsEqual(other.utf8)
            case (let one as NSNumber, let other as NSNumber):
                let isSameKind = type(of: one) == type(of: other) && one.objCType.pointee == other.objCType.pointee
                return one == other && (isSameKind || !withKinds)
            case (let one as [String: Any], let other as [String: Any]):
                let isSameMember = { (name: String, value: Any) in
                    other[name].map { isSame(value, $0, withKinds: withKinds) } ?? false
                }
                return one.count == other.count && one.allSatisfy { isSameMember($0.key, $0.value) }
            case (let one as [Any], let other as [Any]):
                return one.count == other.count
                    && zip(one, other).allSatisfy { isSame($0, $1, withKinds: withKinds) }
            default: return false
            }
        }
    }
#endif
