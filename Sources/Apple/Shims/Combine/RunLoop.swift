#if os(Linux)
    #if ExtensionCombine
        public import Foundation

        /// A run loop that wakes up for what is scheduled from another thread. OpenCombine leaves that to Foundation, which on Linux does not wake it.
        public struct WakingRunLoop: Scheduler {
            /// A time of the run loop.
            public typealias SchedulerTimeType = RunLoop.OCombine.SchedulerTimeType
            /// Options of the run loop.
            public typealias SchedulerOptions = RunLoop.OCombine.SchedulerOptions

            private let runLoop: RunLoop

            init(_ runLoop: RunLoop) { self.runLoop = runLoop }

            /// The main run loop also runs the main queue, which wakes it.
            private func wake() {
                if runLoop === RunLoop.main { DispatchQueue.main.async {} }
            }

            /// The current time.
            public var now: SchedulerTimeType { runLoop.ocombine.now }
            /// The least tolerance.
            public var minimumTolerance: SchedulerTimeType.Stride { runLoop.ocombine.minimumTolerance }

            /// Runs an action soon.
            public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
                runLoop.ocombine.schedule(options: options, action)
                wake()
            }

            /// Runs an action at a time.
            public func schedule(
                after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
                _ action: @escaping () -> Void
            ) {
                runLoop.ocombine.schedule(after: date, tolerance: tolerance, options: options, action)
                wake()
            }

            /// Runs an action again and again.
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
            /// Passes values on in a run loop.
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
