#if os(Linux)
    #if ExtensionCombine
        // What OpenCombine 0.14 does not have.

        extension Publishers {
            /// The values of several publishers, as they come. Finishes when all have, and fails when one does.
            public struct MergeMany<Upstream: Publisher>: Publisher {
                /// The values.
                public typealias Output = Upstream.Output
                /// The errors.
                public typealias Failure = Upstream.Failure

                /// The publishers.
                public let publishers: [Upstream]

                /// Of these publishers.
                public init(_ upstream: Upstream...) { publishers = upstream }

                /// Of these publishers.
                public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
                    publishers = Array(upstream)
                }

                /// Passes values on to a subscriber.
                public func receive<S: Subscriber>(subscriber: S)
                where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
                    Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }
                        .receive(subscriber: subscriber)
                }

                /// With one more.
                public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
            }

            /// The values of two publishers, as they come.
            public struct Merge<A: Publisher, B: Publisher>: Publisher
            where A.Output == B.Output, A.Failure == B.Failure {
                /// The values.
                public typealias Output = A.Output
                /// The errors.
                public typealias Failure = A.Failure

                /// The first.
                public let a: A
                /// The second.
                public let b: B

                /// Of two publishers.
                public init(_ a: A, _ b: B) {
                    self.a = a
                    self.b = b
                }

                /// Passes values on to a subscriber.
                public func receive<S: Subscriber>(subscriber: S) where S.Input == A.Output, S.Failure == A.Failure {
                    MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
                }
            }

            /// The newest values of two publishers, at each new one once both have one.
            public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
                /// The values.
                public typealias Output = (A.Output, B.Output)
                /// The errors.
                public typealias Failure = A.Failure

                private enum Part {
                    case a(A.Output)
                    case b(B.Output)
                }

                /// The first.
                public let a: A
                /// The second.
                public let b: B

                /// Of two publishers.
                public init(_ a: A, _ b: B) {
                    self.a = a
                    self.b = b
                }

                /// Passes values on to a subscriber.
                public func receive<S: Subscriber>(subscriber: S)
                where S.Input == (A.Output, B.Output), S.Failure == A.Failure {
                    MergeMany(a.map(Part.a).eraseToAnyPublisher(), b.map(Part.b).eraseToAnyPublisher())
                        .scan((A.Output?.none, B.Output?.none)) { newest, part in
                            switch part {
                            case .a(let value): (value, newest.1)
                            case .b(let value): (newest.0, value)
                            }
                        }
                        .compactMap { newest -> Output? in
                            guard let a = newest.0, let b = newest.1 else { return nil }
                            return (a, b)
                        }
                        .receive(subscriber: subscriber)
                }
            }
        }

        extension Publisher {
            /// With the values of another, as they come.
            public func merge<B: Publisher>(with b: B) -> Publishers.Merge<Self, B>
            where B.Output == Output, B.Failure == Failure { Publishers.Merge(self, b) }

            /// The newest values of this and another.
            public func combineLatest<B: Publisher>(_ other: B) -> Publishers.CombineLatest<Self, B>
            where B.Failure == Failure { Publishers.CombineLatest(self, other) }

            /// The result of a function of the newest values of this and another.
            public func combineLatest<B: Publisher, T>(
                _ other: B, _ transform: @escaping (Output, B.Output) -> T
            ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, T>
            where B.Failure == Failure { Publishers.CombineLatest(self, other).map(transform) }
        }
    #endif
#endif
