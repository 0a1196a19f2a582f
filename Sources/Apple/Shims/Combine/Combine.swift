// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    #if ExtensionCombine
        public import Foundation
        // OpenCombine has Combine's API under another name: publishers and subjects, and those of Foundation and Dispatch.
        @_exported public import OpenCombine
        @_exported public import OpenCombineDispatch
        @_exported public import OpenCombineFoundation

        // What OpenCombine 0.14 does not have.

        extension Publishers {
            /// The values of several publishers, as they come. Finishes when all have, and fails when one does.
            public struct MergeMany<Upstream: Publisher>: Publisher {
                public typealias Output = Upstream.Output
                public typealias Failure = Upstream.Failure

                public let publishers: [Upstream]

                public init(_ upstream: Upstream...) { publishers = upstream }

                public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
                    publishers = Array(upstream)
                }

                public func receive<S: Subscriber>(subscriber: S)
                where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
                    Publishers.Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }
                        .receive(subscriber: subscriber)
                }

                public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
            }

            /// The values of two publishers, as they come.
            public struct Merge<A: Publisher, B: Publisher>: Publisher
            where A.Output == B.Output, A.Failure == B.Failure {
                public typealias Output = A.Output
                public typealias Failure = A.Failure

                public let a: A
                public let b: B

                public init(_ a: A, _ b: B) {
                    self.a = a
                    self.b = b
                }

                public func receive<S: Subscriber>(subscriber: S) where S.Input == A.Output, S.Failure == A.Failure {
                    MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
                }
            }

            /// The newest values of two publishers, at each new one once both have one.
            public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
                public typealias Output = (A.Output, B.Output)
                public typealias Failure = A.Failure

                private enum Part {
                    case a(A.Output)
                    case b(B.Output)
                }

                public let a: A
                public let b: B

                public init(_ a: A, _ b: B) {
                    self.a = a
                    self.b = b
                }

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
            /// Merges the values of another publisher, as they come.
            public func merge<B: Publisher>(with b: B) -> Publishers.Merge<Self, B>
            where B.Output == Output, B.Failure == Failure { Publishers.Merge(self, b) }

            public func combineLatest<B: Publisher>(_ other: B) -> Publishers.CombineLatest<Self, B>
            where B.Failure == Failure { Publishers.CombineLatest(self, other) }

            /// The result of a function of the newest values of this and another.
            public func combineLatest<B: Publisher, T>(
                _ other: B, _ transform: @escaping (Output, B.Output) -> T
            ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, T>
            where B.Failure == Failure { Publishers.CombineLatest(self, other).map(transform) }
        }

        /// A run loop that wakes up for what is scheduled from another thread. OpenCombine leaves that to Foundation, which on Linux does not wake it.
        public struct WakingRunLoop: Scheduler {
            public typealias SchedulerTimeType = RunLoop.OCombine.SchedulerTimeType
            public typealias SchedulerOptions = RunLoop.OCombine.SchedulerOptions

            private let runLoop: RunLoop

            init(_ runLoop: RunLoop) { self.runLoop = runLoop }

            /// The main run loop also runs the main queue, which wakes it.
            private func wake() {
                if runLoop === RunLoop.main { DispatchQueue.main.async {} }
            }

            public var now: SchedulerTimeType { runLoop.ocombine.now }
            public var minimumTolerance: SchedulerTimeType.Stride { runLoop.ocombine.minimumTolerance }

            public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
                runLoop.ocombine.schedule(options: options, action)
                wake()
            }

            public func schedule(
                after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
                _ action: @escaping () -> Void
            ) {
                runLoop.ocombine.schedule(after: date, tolerance: tolerance, options: options, action)
                wake()
            }

            public func schedule(
                after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
                options: SchedulerOptions?, _ action: @escaping () -> Void
            ) -> any Cancellable {
                defer { wake() }
                return runLoop.ocombine.schedule(
                    after: date, interval: interval, tolerance: tolerance, options: options, action)
            }
        }

        extension Publisher {
            public func receive(
                on scheduler: RunLoop, options: WakingRunLoop.SchedulerOptions? = nil
            ) -> Publishers.ReceiveOn<Self, WakingRunLoop> { receive(on: WakingRunLoop(scheduler), options: options) }

            /// Passes values on later, in a run loop.
            public func delay(
                for interval: WakingRunLoop.SchedulerTimeType.Stride, scheduler: RunLoop
            ) -> Publishers.Delay<Self, WakingRunLoop> { delay(for: interval, scheduler: WakingRunLoop(scheduler)) }

            /// Passes a value on if none follows it for a while, in a run loop.
            public func debounce(
                for dueTime: WakingRunLoop.SchedulerTimeType.Stride, scheduler: RunLoop
            ) -> Publishers.Debounce<Self, WakingRunLoop> {
                debounce(for: dueTime, scheduler: WakingRunLoop(scheduler))
            }

            /// Finishes, or fails with a custom error, if no value arrives within an interval. The run loop measures it.
            public func timeout(
                _ interval: WakingRunLoop.SchedulerTimeType.Stride, scheduler: RunLoop,
                customError: (() -> Failure)? = nil
            ) -> Publishers.Timeout<Self, WakingRunLoop> {
                timeout(interval, scheduler: WakingRunLoop(scheduler), customError: customError)
            }
        }
    #endif
#endif
