#if os(Linux)
    package import Foundation
    import UserNotifications

    /// Reads JSON that the host has validated, into the classes that `JSONSerialization` makes, in a fraction of the time.
    ///
    /// Whatever parsers disagree about it leaves to Foundation, by returning nil: names that are there twice, numbers that need more than 64 bits
    /// or 17 digits, exponents, lone surrogates, a byte order mark before a text, deep nesting. So does whatever is no JSON.
    package struct JSONReader {
        /// Foundation allows 512.
        private static let maximumDepth = 100

        private let bytes: UnsafeBufferPointer<UInt8>
        package private(set) var position = 0

        /// - Parameter bytes: valid as long as the reader is used.
        package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        package var isAtEnd: Bool { position == bytes.count }

        /// Goes past these bytes, if they are next.
        package mutating func skip(_ text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            guard bytes.count - position >= count else { return false }
            let isNext = text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
            if isNext { position += count }
            return isNext
        }

        private mutating func skipSpace() {
            while position < bytes.count, case let byte = bytes[position],
                byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            {
                position += 1
            }
        }

        /// The next byte after white space; 0 at the end.
        private mutating func next() -> UInt8 {
            skipSpace()
            return position < bytes.count ? bytes[position] : 0
        }

        // MARK: - Values

        /// Objects are dictionaries.
        package mutating func value(depth: Int = 0) -> Any? {
            switch next() {
            case UInt8(ascii: "{"):
                guard let members = members(depth: depth, { $0.value(depth: $1) }) else { return nil }
                return Dictionary(members, uniquingKeysWith: { $1 })
            case UInt8(ascii: "["): return array(depth: depth) { $0.value(depth: $1) }
            default: return scalar()
            }
        }

        /// The members of an object by name.
        package mutating func dictionary() -> [AnyHashable: Any]? {
            guard next() == UInt8(ascii: "{"), let members = members(depth: 0, { $0.value(depth: $1) }) else {
                return nil
            }
            var dictionary = [AnyHashable: Any](minimumCapacity: members.count)
            for (name, value) in members { dictionary[AnyHashable(name)] = value }
            return dictionary
        }

        /// Objects are `PayloadObject`s, which take less time.
        package mutating func listed(depth: Int = 0) -> Any? {
            switch next() {
            case UInt8(ascii: "{"):
                return members(depth: depth) { $0.listed(depth: $1) }.map(PayloadObject.init(members:))
            case UInt8(ascii: "["): return array(depth: depth) { $0.listed(depth: $1) }
            default: return scalar()
            }
        }

        private mutating func members(
            depth: Int, _ read: (inout JSONReader, Int) -> Any?
        ) -> [(name: String, value: Any)]? {
            var members: [(name: String, value: Any)] = []
            let isRead = forEachMember(depth: depth) { reader, name in
                guard let value = read(&reader, depth + 1) else { return false }
                members.append((name, value))
                return true
            }
            return isRead && Self.areUnique(members) ? members : nil
        }

        private static func areUnique(_ members: [(name: String, value: Any)]) -> Bool {
            if members.count > 16 { return Set(members.lazy.map(\.name)).count == members.count }
            for (index, member) in members.enumerated()
            where members[..<index].contains(where: { $0.name == member.name }) {
                return false
            }
            return true
        }

        /// Reads an object, one member after the other.
        ///
        /// - Parameter read: reads the member's value; false to give up.
        /// - Returns: false if it gave up.
        package mutating func forEachMember(depth: Int = 0, _ read: (inout JSONReader, String) -> Bool) -> Bool {
            guard depth < Self.maximumDepth, next() == UInt8(ascii: "{") else { return false }
            position += 1
            if next() == UInt8(ascii: "}") {
                position += 1
                return true
            }
            while true {
                guard next() == UInt8(ascii: "\""), let name = string(), next() == UInt8(ascii: ":") else {
                    return false
                }
                position += 1
                guard read(&self, name) else { return false }
                let end = next()
                position += 1
                if end == UInt8(ascii: "}") { return true }
                guard end == UInt8(ascii: ",") else { return false }
            }
        }

        private mutating func array(depth: Int, _ read: (inout JSONReader, Int) -> Any?) -> [Any]? {
            guard depth < Self.maximumDepth else { return nil }
            position += 1
            var array: [Any] = []
            if next() == UInt8(ascii: "]") {
                position += 1
                return array
            }
            while true {
                guard let element = read(&self, depth + 1) else { return nil }
                array.append(element)
                let end = next()
                position += 1
                if end == UInt8(ascii: "]") { return array }
                guard end == UInt8(ascii: ",") else { return nil }
            }
        }

        private mutating func scalar() -> Any? {
            switch next() {
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "t"): return skip("true") ? NSNumber(value: true) : nil
            case UInt8(ascii: "f"): return skip("false") ? NSNumber(value: false) : nil
            case UInt8(ascii: "n"): return skip("null") ? NSNull() : nil
            default: return number()
            }
        }

        /// A whole number of at most 18 digits, or one with a fraction and at most 17 characters.
        package mutating func number() -> NSNumber? {
            let start = position
            let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
            if isNegative { position += 1 }
            let digits = position
            var whole: Int64 = 0
            while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
                guard position - digits < 18 else { return nil }
                whole = whole &* 10 &+ Int64(digit)
                position += 1
            }
            guard position > digits, position == digits + 1 || bytes[digits] != 0x30 else { return nil }
            let next = position < bytes.count ? bytes[position] : 0
            if next | 0x20 == UInt8(ascii: "e") { return nil }
            if next != UInt8(ascii: ".") {
                // Foundation decides what -0 is.
                return isNegative && whole == 0 ? nil : NSNumber(value: isNegative ? -whole : whole)
            }
            position += 1
            let fraction = position
            while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
            guard position > fraction, position - start <= 17,
                position == bytes.count || (bytes[position] | 0x20) != UInt8(ascii: "e")
            else { return nil }
            return Double(String(decoding: bytes[start..<position], as: UTF8.self)).map { NSNumber(value: $0) }
        }

        // MARK: - Texts

        /// A string, from its opening quote on.
        package mutating func string() -> String? {
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
            let start = position + 1
            var end = start
            while end < bytes.count {
                let byte = bytes[end]
                if byte == UInt8(ascii: "\"") {
                    position = end + 1
                    return Self.text(UnsafeBufferPointer(rebasing: bytes[start..<end]))
                }
                if byte == UInt8(ascii: "\\") { return escapedString(from: start, plainUntil: end) }
                if byte < 0x20 { return nil }
                end += 1
            }
            return nil
        }

        /// Foundation drops a byte order mark at the beginning, and refuses what is not UTF-8.
        private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
            bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? nil : String(validating: bytes, as: UTF8.self)
        }

        private static let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
            UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]

        private mutating func escapedString(from start: Int, plainUntil end: Int) -> String? {
            var text = Array(bytes[start..<end])
            position = end
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                if byte == UInt8(ascii: "\"") { return text.withUnsafeBufferPointer(Self.text) }
                if byte < 0x20 { return nil }
                guard byte == UInt8(ascii: "\\") else {
                    // Foundation drops a byte order mark after an escape, too.
                    if byte == 0xEF, bytes[position...].starts(with: [0xBB, 0xBF]) { return nil }
                    text.append(byte)
                    continue
                }
                guard position < bytes.count else { return nil }
                let escape = bytes[position]
                position += 1
                if let plain = Self.escapes[escape] {
                    text.append(plain)
                } else {
                    guard escape == UInt8(ascii: "u"), let scalar = scalarOfEscape() else { return nil }
                    text.append(contentsOf: String(Character(scalar)).utf8)
                }
            }
            return nil
        }

        /// The scalar of `\uXXXX`, or of two of them, after the first `\u`.
        private mutating func scalarOfEscape() -> Unicode.Scalar? {
            guard let first = hexadecimal() else { return nil }
            guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
            guard skip("\\u"), let second = hexadecimal(), (0xDC00..<0xE000).contains(second) else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }

        private mutating func hexadecimal() -> UInt32? {
            guard bytes.count - position >= 4 else { return nil }
            var value: UInt32 = 0
            for byte in bytes[position..<position + 4] {
                switch byte {
                case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
                case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
                case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
                default: return nil
                }
            }
            position += 4
            return value
        }

        // MARK: - Skipping

        /// Goes past a value. Returns false if Foundation has to read it, because it may refuse it.
        package mutating func skipValue(depth: Int = 0) -> Bool {
            switch next() {
            case UInt8(ascii: "{"):
                return forEachRawMember(depth: depth) { $0.skipValue(depth: depth + 1) }
            case UInt8(ascii: "["):
                return array(depth: depth) { reader, depth in reader.skipValue(depth: depth) ? true : nil } != nil
            case UInt8(ascii: "\""): return skipString()
            default: return scalar() != nil
            }
        }

        private mutating func forEachRawMember(depth: Int, _ read: (inout JSONReader) -> Bool) -> Bool {
            guard depth < Self.maximumDepth else { return false }
            position += 1
            if next() == UInt8(ascii: "}") {
                position += 1
                return true
            }
            while true {
                guard next() == UInt8(ascii: "\""), skipString(), next() == UInt8(ascii: ":") else { return false }
                position += 1
                guard read(&self) else { return false }
                let end = next()
                position += 1
                if end == UInt8(ascii: "}") { return true }
                guard end == UInt8(ascii: ",") else { return false }
            }
        }

        private mutating func skipString() -> Bool {
            var end = position + 1
            while end < bytes.count {
                let byte = bytes[end]
                if byte == UInt8(ascii: "\"") {
                    position = end + 1
                    return true
                }
                // What has escapes or is not ASCII is read, because it may be wrong.
                if byte == UInt8(ascii: "\\") || byte >= 0x80 { return string() != nil }
                if byte < 0x20 { return false }
                end += 1
            }
            return false
        }
    }
#endif
