#if os(Linux)
    import Foundation

    /// The frames of a web socket, as a client reads and writes them. Source: RFC 6455, sections 5 to 7.
    struct WebSocketFrames {
        enum Kind: UInt8 {
            case continuation = 0
            case text = 1
            case binary = 2
            case close = 8
            case ping = 9
            case pong = 10

            var isControl: Bool { rawValue >= 8 }
        }

        enum Event: Equatable {
            case text(String)
            case data(Data)
            case ping(Data)
            case pong
            /// 1005 stands for a frame without a code.
            case close(code: Int, reason: Data)
        }

        /// Why a connection cannot go on, as the code that the server is told.
        struct Violation: Error, Equatable {
            let code: Int

            static let protocolError = Violation(code: 1002)
            static let notText = Violation(code: 1007)
            static let tooLong = Violation(code: 1009)
        }

        private var bytes = Data()
        /// The beginning of a message whose end has not come.
        private var message: (kind: Kind, bytes: Data)?

        mutating func append(_ new: Data) { bytes += new }

        /// The next message or control frame; nil until more bytes have come.
        ///
        /// - Parameter limit: bytes of the longest message.
        mutating func next(limit: Int) throws(Violation) -> Event? {
            while let (kind, isFinal, body) = try frame(limit: limit) {
                switch kind {
                case .ping: return .ping(body)
                case .pong: return .pong
                case .close: return try Self.close(body)
                case .text, .binary:
                    guard message == nil else { throw .protocolError }
                    message = (kind, body)
                case .continuation:
                    guard message != nil else { throw .protocolError }
                    message?.bytes += body
                }
                guard isFinal, let (kind, bytes) = message else { continue }
                message = nil
                guard kind == .text else { return .data(bytes) }
                guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
                return .text(text)
            }
            return nil
        }

        private mutating func frame(limit: Int) throws(Violation) -> (Kind, isFinal: Bool, Data)? {
            guard bytes.count >= 2 else { return nil }
            let start = bytes.startIndex
            let isFinal = bytes[start] & 0x80 != 0
            // The server masks nothing, and there is no extension that uses the reserved bits.
            guard bytes[start] & 0x70 == 0, bytes[start + 1] & 0x80 == 0, let kind = Kind(rawValue: bytes[start] & 0x0F)
            else { throw .protocolError }
            let short = bytes[start + 1]
            if kind.isControl, !isFinal || short > 125 { throw .protocolError }
            let sizeLength = short == 126 ? 2 : short == 127 ? 8 : 0
            guard bytes.count >= 2 + sizeLength else { return nil }
            let head = bytes[start + 2..<start + 2 + sizeLength]
            let size = sizeLength == 0 ? UInt64(short) : head.reduce(0) { $0 << 8 | UInt64($1) }
            guard kind.isControl || size <= UInt64(max(0, limit - (message?.bytes.count ?? 0))) else { throw .tooLong }
            let end = 2 + sizeLength + Int(size)
            guard bytes.count >= end else { return nil }
            let body = Data(bytes[start + 2 + sizeLength..<start + end])
            bytes = Data(bytes[(start + end)...])
            return (kind, isFinal, body)
        }

        private static func close(_ body: Data) throws(Violation) -> Event {
            guard !body.isEmpty else { return .close(code: 1005, reason: Data()) }
            guard body.count >= 2 else { throw .protocolError }
            return .close(code: Int(body[0]) << 8 | Int(body[1]), reason: Data(body.dropFirst(2)))
        }

        /// A frame with a whole message.
        ///
        /// - Parameter mask: hides the bytes from caches that take them for HTTP.
        static func encode(_ kind: Kind, _ body: Data, mask: UInt32 = .random(in: .min ... .max)) -> Data {
            var frame = Data([0x80 | kind.rawValue])
            switch body.count {
            case ...125: frame.append(0x80 | UInt8(body.count))
            case ...0xFFFF: frame += [0x80 | 126, UInt8(body.count >> 8), UInt8(body.count & 0xFF)]
            default:
                frame.append(0x80 | 127)
                frame += (0..<8).reversed().map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
            }
            let key = (0..<4).reversed().map { UInt8(truncatingIfNeeded: mask >> ($0 * 8)) }
            frame += key
            frame += body.enumerated().map { $1 ^ key[$0 & 3] }
            return frame
        }

        /// The body of a close frame. Without a code, it is empty.
        static func closeBody(_ code: Int, _ reason: Data?) -> Data {
            guard code != 0 else { return Data() }
            return Data([UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]) + (reason ?? Data()).prefix(123)
        }
    }
#endif
