#if os(Linux)
    import Foundation

    /// Writes the JSON of messages, in a fraction of the time of `JSONSerialization`.
    package enum JSONWriter {
        /// Appends a value that `JSONSerialization` could write. Returns false if it is none; then what was appended is of no use.
        package static func append(_ value: Any, to text: inout [UInt8]) -> Bool {
            switch value {
            case let string as String:
                append(string, to: &text)
                return true
            case let number as NSNumber: return append(number, to: &text)
            case is NSNull:
                text += "null".utf8
                return true
            case let object as [String: Any]:
                text.append(UInt8(ascii: "{"))
                var isFirst = true
                for (name, member) in object {
                    if !isFirst { text.append(UInt8(ascii: ",")) }
                    isFirst = false
                    append(name, to: &text)
                    text.append(UInt8(ascii: ":"))
                    guard append(member, to: &text) else { return false }
                }
                text.append(UInt8(ascii: "}"))
                return true
            case let array as [Any]:
                text.append(UInt8(ascii: "["))
                for (position, element) in array.enumerated() {
                    if position > 0 { text.append(UInt8(ascii: ",")) }
                    guard append(element, to: &text) else { return false }
                }
                text.append(UInt8(ascii: "]"))
                return true
            default: return false
            }
        }

        private static let booleans = (no: NSNumber(value: false), yes: NSNumber(value: true))

        private static func append(_ number: NSNumber, to text: inout [UInt8]) -> Bool {
            // Foundation has one object for each Boolean.
            if number === booleans.yes || number === booleans.no {
                text += (number.boolValue ? "true" : "false").utf8
                return true
            }
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d") where !(number is NSDecimalNumber):
                guard number.doubleValue.isFinite else { return false }
                let digits = "\(number.doubleValue)"
                text += (digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]).utf8
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return false
            default: text += number.stringValue.utf8
            }
            return true
        }

        private static let digits = Array("0123456789abcdef".utf8)

        private static func append(_ string: String, to text: inout [UInt8]) {
            text.append(UInt8(ascii: "\""))
            for byte in string.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
                case 0x20...: text.append(byte)
                default: text += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
            text.append(UInt8(ascii: "\""))
        }
    }
#endif
