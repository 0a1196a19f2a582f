#if os(Linux)
    package import Foundation
    package import UserNotifications

    /// A line with `didReceive` as pushpipe writes it, read without Foundation's parser, which takes longer than all other work on a push.
    package struct PushLine {
        package let id: Int
        package let identifier: String
        package let date: Date
        package let aps: PayloadObject
        /// The payload's text.
        private let payload: [UInt8]

        /// Nil for any other line, and for one that only Foundation can read.
        package init?(_ line: UnsafeBufferPointer<UInt8>) {
            var reader = JSONReader(line)
            guard reader.skip(#"{"method":"didReceive","id":"#), let id = reader.number(),
                reader.skip(#","request":{"identifier":"#), let identifier = reader.string(),
                reader.skip(#","date":"#), let date = reader.number(), reader.skip(#","payload":"#)
            else { return nil }
            let start = reader.position
            var aps: Any?
            let isRead = reader.forEachMember { reader, name in
                if name != "aps" { return reader.skipValue(depth: 1) }
                guard aps == nil, let value = reader.listed(depth: 1) else { return false }
                aps = value
                return true
            }
            let end = reader.position
            guard isRead, reader.skip("}}"), reader.isAtEnd else { return nil }
            self.id = id.intValue
            self.identifier = identifier
            self.date = Date(timeIntervalSince1970: date.doubleValue)
            self.aps = aps as? PayloadObject ?? PayloadObject()
            payload = Array(line[start..<end])
        }

        /// User info, which is read when it is first used.
        package var userInfo: UserInfo {
            let payload = payload
            return UserInfo {
                let own = payload.withUnsafeBufferPointer { bytes in
                    var reader = JSONReader(bytes)
                    return reader.dictionary()
                }
                if let own { return own }
                return (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] ?? [:]
            }
        }
    }
#endif
