#if os(Linux)
    public import Foundation
    public import FoundationNetworking

    extension URLSession {
        /// The bytes of a response, which have all arrived: Foundation for Linux has no form that gives them one by one.
        public struct AsyncBytes: AsyncSequence, Sendable {
            /// A byte.
            public typealias Element = UInt8

            private let data: Data

            init(_ data: Data) { self.data = data }

            /// Gives the bytes in order.
            public struct AsyncIterator: AsyncIteratorProtocol {
                var rest: Data.Iterator

                /// The next byte; nil at the end.
                public mutating func next() async throws -> UInt8? { rest.next() }
            }

            /// The first byte comes first.
            public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: data.makeIterator()) }

            /// The lines of the text, without their ends and without empty ones.
            public var lines: AsyncStream<String> {
                let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
                return AsyncStream { continuation in
                    for line in lines { continuation.yield(line) }
                    continuation.finish()
                }
            }
        }

        /// The bytes at an address.
        public func bytes(
            from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
        ) async throws -> (AsyncBytes, URLResponse) {
            try await bytes(for: URLRequest(url: url), delegate: delegate)
        }

        /// The bytes of an answer to a request.
        public func bytes(
            for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
        ) async throws -> (AsyncBytes, URLResponse) {
            let (data, response) = try await data(for: request, delegate: delegate)
            return (AsyncBytes(data), response)
        }
    }
#endif
