#if os(Linux)
    import Foundation
    import PayloadJSON
    import Synchronization

    /// A payload as `JSONSerialization` parses it: the same classes, in a third of the time.
    ///
    /// It is built from the scanner's tape. Foundation parses what the two could read differently: duplicate names, lone surrogates, and
    /// numbers that need more than 64 bits or 17 digits.
    enum FoundationPayload {
        /// The payload's members; nil if Foundation cannot parse it.
        static func object(_ payload: String) -> [String: Any]? {
            parser.read(payload) { value($0) as? [String: Any] } ?? parsed(payload)
        }

        /// The same as user info has them; none if Foundation cannot parse it.
        static func userInfo(_ payload: String) -> [AnyHashable: Any] {
            let own: [AnyHashable: Any]? = parser.read(payload) { root in
                guard root.isObject else { return nil }
                var values = [AnyHashable: Any](minimumCapacity: count(root.members))
                for (key, member) in root.members {
                    guard let member = value(member) else { return nil }
                    values[AnyHashable(text(key))] = member
                }
                return values
            }
            return own ?? parsed(payload).map { $0 as [AnyHashable: Any] } ?? [:]
        }

        /// The number of members or elements: what holds them takes time to grow, and keeps what it has grown to.
        static func count(_ values: some Sequence) -> Int { values.reduce(0) { count, _ in count + 1 } }

        private static func parsed(_ payload: String) -> [String: Any]? {
            try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
        }

        private final class Parser: @unchecked Sendable {
            // Unchecked: scanner and tape are used only under the lock.
            private let lock = Mutex(())
            private var scanner = JSONScanner()
            private var tape = JSONTape()

            /// Nil if Foundation has to parse the payload.
            func read<Value>(_ payload: String, _ build: (JSONView) -> Value?) -> Value? {
                var text = payload
                var value: Value?
                text.withUTF8 { bytes in
                    let raw = UnsafeRawBufferPointer(bytes)
                    lock.withLock { _ in
                        guard scanner.scan(raw, into: &tape) == nil, tape.notes.isEmpty else { return }
                        value = tape.root(of: raw).flatMap(build)
                    }
                }
                return value
            }
        }

        /// One for all payloads: the memory of a new one takes longer than the scan.
        private static let parser = Parser()

        /// Nil if Foundation has to parse the value or something in it.
        private static func value(_ view: JSONView) -> Any? {
            switch view.kind {
            case .object:
                var object = [String: Any](minimumCapacity: count(view.members))
                for (key, member) in view.members {
                    guard let member = value(member) else { return nil }
                    object[text(key)] = member
                }
                return object
            case .array:
                var array: [Any] = []
                array.reserveCapacity(count(view.elements))
                for element in view.elements {
                    guard let element = value(element) else { return nil }
                    array.append(element)
                }
                return array
            case .string, .key: return view.string.map(text)
            case .number: return number(view)
            case .true: return NSNumber(value: true)
            case .false: return NSNumber(value: false)
            case .null: return NSNull()
            }
        }

        /// Most numbers of a payload are one of these: to make one takes a call of Core Foundation.
        private static let small = (0..<100).map { NSNumber(value: Int64($0)) }

        static func number(_ view: JSONView) -> NSNumber? {
            let text = view.text
            // Foundation parses the longest ones as decimals.
            if text.count <= 19, let whole = view.int64 {
                return small.indices.contains(Int(whole)) ? small[Int(whole)] : NSNumber(value: whole)
            }
            guard text.count <= 17 else { return nil }
            return view.double.map { NSNumber(value: $0) }
        }

        static func text(_ string: JSONString) -> String {
            string.hasEscapes ? string.string : String(decoding: string.raw.buffer, as: UTF8.self)
        }
    }
#endif
