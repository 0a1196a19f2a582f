#if os(Linux)
    @testable import ExtensionHosting
    import PushSystem
    import TestSupport
    import Testing

    /// The protocol without processes and without a clock, as `Documentation/reference/extension-protocol.md` describes it.
    @Suite struct StateMachineTests {
        private typealias Machine = ExtensionStateMachine
        private typealias Action = ExtensionStateMachine.Action

        private static let second: Int64 = 1_000_000_000
        private static let limit = 30 * second

        /// A machine whose processes start, and whose time is `now`.
        private struct Host {
            var machine = Machine(timeLimit: StateMachineTests.limit, memoryLimit: 1000)
            var now: Int64 = 0

            /// All actions that follow from an event.
            mutating func after(_ event: (inout Machine) -> Action?) -> [Action] {
                var actions: [Action] = []
                var action = event(&machine)
                while let current = action {
                    actions.append(current)
                    if current == .start { machine.didStart() }
                    if case .begin = current { machine.didBegin(at: now) }
                    action = machine.next()
                }
                return actions
            }

            mutating func submit(_ ids: ClosedRange<UInt64>) -> [Action] {
                ids.flatMap { id in after { $0.submit(id) } }
            }

            mutating func message(_ event: (inout Machine) -> Action?) -> [Action] {
                machine.messageArrived()
                return after(event)
            }

            mutating func ready(_ queue: Int64?) -> [Action] {
                let now = now
                return message { $0.ready(queue: queue, at: now) }
            }

            mutating func handlerCalled(_ id: UInt64) -> [Action] {
                let now = now
                return message { $0.handlerCalled(id, at: now) }
            }

            mutating func finished(_ id: UInt64) -> [Action] { message { $0.finished(id) } }
            mutating func end(_ ending: ChildProcess.Ending?) -> [Action] { after { $0.outputEnded(ending) } }

            mutating func pass(_ time: Int64) -> [Action] {
                now += time
                let now = now
                return after { $0.deadlinePassed(at: now) }
            }
        }

        // MARK: - Pushes

        @Test func `a program gets one push at a time`() {
            var host = Host()
            #expect(host.submit(1...3) == [.start, .send(1), .begin(1)])
            #expect(!host.machine.hasRoom)
            #expect(host.handlerCalled(1) == [.finish(1, nil), .send(2), .begin(2)])
            #expect(host.handlerCalled(2) == [.finish(2, nil), .send(3), .begin(3)])
            #expect(host.handlerCalled(3) == [.finish(3, nil)])
            #expect(host.machine.head == nil && host.machine.nextDeadline == .max)
            #expect(host.submit(4...4) == [.send(4), .begin(4)])
        }

        @Test(arguments: [(nil, 1), (-3, 1), (0, 1), (1, 1), (2, 2), (64, 64), (65, 64), (Int64.max, 64)])
        func `a program that is ready gets as many pushes ahead as it says, at most 64`(queue: Int64?, count: Int) {
            var host = Host()
            _ = host.submit(1...100)
            #expect(host.ready(queue) == (2..<count + 1).map { .send(UInt64($0)) })
            #expect(host.handlerCalled(1) == [])
            let next: [Action] = count > 1 ? [.begin(2), .send(UInt64(count) + 1)] : [.send(2), .begin(2)]
            #expect(host.finished(1) == [.finish(1, nil)] + next)
        }

        @Test func `a push that is finished without an answer fails`() {
            var host = Host()
            _ = host.submit(1...2)
            _ = host.ready(8)
            #expect(host.finished(1) == [.finish(1, .handlerNotCalled), .begin(2)])
            #expect(host.message { $0.unreadable(2) } == [.finish(2, .unreadable)])
        }

        @Test func `two answers are one`() {
            var host = Host()
            _ = host.submit(1...2)
            _ = host.ready(8)
            #expect(host.handlerCalled(1) == [] && host.handlerCalled(1) == [])
            #expect(host.finished(1) == [.finish(1, nil), .begin(2)])
            #expect(host.handlerCalled(1) == [] && host.finished(1) == [])
            #expect(host.machine.sentPush(1) == nil && host.machine.sentPush(2)?.isHandled == false)
        }

        @Test func `messages about pushes that were not sent change nothing`() {
            var host = Host()
            _ = host.submit(1...2)
            #expect(host.handlerCalled(2) == [] && host.finished(2) == [] && host.handlerCalled(99) == [])
            #expect(host.message { $0.unreadable(2) } == [] && host.message { $0.timeExpired(2) } == [])
            #expect(host.handlerCalled(1) == [.finish(1, nil), .send(2), .begin(2)])
        }

        // MARK: - Time

        @Test func `at its time limit a push is told, and a second later its process is replaced`() {
            var host = Host()
            _ = host.submit(1...2)
            #expect(host.machine.deadline == Self.limit)
            #expect(host.pass(Self.limit - 1) == [])
            #expect(host.pass(1) == [.expire(1)])
            #expect(host.pass(Self.second - 1) == [])
            #expect(host.pass(1) == [.giveUp(1, .handlerNotCalled), .start, .send(2), .begin(2)])
            #expect(host.machine.deadline == host.now + Self.limit)
            // The answer was on its way.
            #expect(host.handlerCalled(1) == [])
        }

        @Test func `an answer after serviceExtensionTimeWillExpire counts`() {
            var host = Host()
            _ = host.submit(1...2)
            _ = host.pass(Self.limit)
            #expect(host.machine.sentPush(1)?.hasExpired == true)
            #expect(host.handlerCalled(1) == [.finish(1, nil), .send(2), .begin(2)])
            #expect(host.machine.sentPush(2)?.hasExpired == false)
        }

        @Test func `a program that answers at the last moment has a second to return before the next push begins`() {
            var host = Host()
            _ = host.submit(1...3)
            _ = host.ready(2)
            _ = host.pass(Self.limit)
            #expect(host.handlerCalled(1) == [.finish(1, nil), .send(3)])
            var slow = host
            #expect(host.finished(1) == [.begin(2)])
            // No other push pays for it.
            #expect(slow.pass(Self.second - 1) == [])
            #expect(slow.pass(1) == [.replaceProcess, .start, .send(2), .begin(2)])
        }

        @Test func `a program that has answered and does not return is not waited for`() {
            var host = Host()
            _ = host.submit(1...2)
            _ = host.ready(2)
            _ = host.handlerCalled(1)
            #expect(host.pass(Self.limit) == [.finish(1, nil)])
            #expect(host.message { $0.timeExpired(1) } == [])
            #expect(host.pass(Self.second) == [.replaceProcess, .start, .send(2), .begin(2)])
        }

        @Test func `a program that returns from a later push keeps the deadline for the earlier one`() {
            var host = Host()
            _ = host.submit(1...3)
            _ = host.ready(3)
            _ = host.pass(Self.limit)
            #expect(host.handlerCalled(1) == [.finish(1, nil)])
            #expect(host.finished(2) == [.finish(2, .handlerNotCalled)])
            #expect(host.pass(Self.second) == [.replaceProcess, .start, .send(3), .begin(3)])
        }

        @Test func `when serviceExtensionTimeWillExpire returns without an answer there is nothing to wait for`() {
            var host = Host()
            _ = host.submit(1...1)
            _ = host.ready(2)
            _ = host.pass(Self.limit)
            #expect(host.message { $0.timeExpired(1) } == [.giveUp(1, .handlerNotCalled)])
        }

        @Test func `the start of a program counts unless it says that it is ready, and only once`() {
            var host = Host()
            _ = host.submit(1...1)
            host.now = 10 * Self.second
            _ = host.ready(2)
            #expect(host.machine.deadline == host.now + Self.limit)
            host.now = 20 * Self.second
            _ = host.ready(2)
            #expect(host.machine.deadline == 10 * Self.second + Self.limit)
        }

        @Test func `a program that closes its input has a tenth of a second to exit, also if it says that it is ready`()
        {
            var host = Host()
            _ = host.submit(1...2)
            host.machine.inputClosed(at: 0)
            _ = host.ready(2)
            host.machine.inputClosed(at: 99_999_999)
            #expect(host.pass(99_999_999) == [])
            #expect(host.pass(1) == [.giveUp(1, .ended("closed its input")), .start, .send(2), .begin(2)])
            #expect(host.machine.deadline == host.now + Self.limit)
            // The next process is not to blame for it.
            #expect(host.pass(Self.limit) == [.expire(2)])
        }

        // MARK: - Ends

        @Test(arguments: [
            (ChildProcess.Ending.exited(3), "exited with status 3"), (.signalled(9), "was ended by signal 9 (Killed)"),
            (nil, "closed its output"),
        ])
        func `an end between push and answer fails that push, and the next process gets the others`(
            ending: ChildProcess.Ending?, text: String
        ) {
            var host = Host()
            _ = host.submit(1...3)
            _ = host.ready(8)
            #expect(host.end(ending) == [.giveUp(1, .ended(text)), .start, .send(2), .begin(2)])
            // It is asked anew how many it accepts.
            #expect(host.ready(8) == [.send(3)])
        }

        @Test func `a program that exits with status 0 without an answer gets the push once more`() {
            var host = Host()
            _ = host.submit(1...2)
            host.machine.messageArrived()
            #expect(host.end(.exited(0)) == [.retry(1), .start, .send(1), .begin(1)])
            host.machine.messageArrived()
            #expect(host.end(.exited(0)) == [.giveUp(1, .ended("exited with status 0")), .start, .send(2), .begin(2)])
            #expect(host.handlerCalled(2) == [.finish(2, nil)])
            // It handles one push per process.
            #expect(host.end(.exited(0)) == [.replaceProcess])
            #expect(host.submit(3...3) == [.start, .send(3), .begin(3)])
        }

        @Test func `an end after the answer is an end, and the push is not sent again`() {
            var host = Host()
            _ = host.submit(1...1)
            _ = host.ready(8)
            _ = host.handlerCalled(1)
            #expect(host.end(.exited(0)) == [.giveUp(1, .ended("exited with status 0"))])
        }

        @Test func `an end while the process returns from a push fails no other`() {
            var host = Host()
            _ = host.submit(1...2)
            _ = host.ready(8)
            _ = host.handlerCalled(1)
            _ = host.pass(Self.limit)
            #expect(host.end(.exited(3)) == [.replaceProcess, .start, .send(2), .begin(2)])
        }

        @Test func `after three ends in a row before the first message no process is started`() {
            var host = Host()
            _ = host.submit(1...5)
            let crash = PendingPush.Failure.ended("exited with status 4")
            #expect(host.end(.exited(4)) == [.giveUp(1, crash), .start, .send(2), .begin(2)])
            // A message counts from the beginning.
            host.machine.messageArrived()
            #expect(host.end(.exited(4)) == [.giveUp(2, crash), .start, .send(3), .begin(3)])
            #expect(host.submit(6...7) == [])
            #expect(host.end(.exited(4)) == [.giveUp(3, crash), .start, .send(4), .begin(4)])
            #expect(host.end(.exited(4)) == [.giveUp(4, crash), .start, .send(5), .begin(5)])
            let broken = PendingPush.Failure.cannotStart("it exited with status 4 3 times in a row")
            #expect(host.end(.exited(4)) == [.giveUp(5, crash), .finish(6, broken), .finish(7, broken)])
            #expect(host.submit(8...8) == [.finish(8, broken)])
        }

        @Test func `a program that cannot be started is not tried again`() {
            var machine = Machine(timeLimit: Self.limit, memoryLimit: nil)
            #expect(machine.submit(1) == .start)
            machine.cannotStart("no such file")
            #expect(machine.next() == .finish(1, .cannotStart("no such file")) && machine.next() == nil)
            #expect(machine.submit(2) == .finish(2, .cannotStart("no such file")))
        }

        @Test func `after the end of the input a program that is ready has six seconds, another half a second`() {
            var host = Host()
            _ = host.submit(1...1)
            #expect(host.machine.afterlife == 500)
            _ = host.ready(2)
            #expect(host.machine.afterlife == 6000)
        }

        // MARK: - Garbage and memory

        @Test func `one hundred lines in one push that are not messages are tolerated, and not one more`() {
            var host = Host()
            _ = host.submit(1...2)
            for _ in 0..<100 { #expect(host.after { $0.strayLine() } == []) }
            #expect(host.handlerCalled(1) == [.finish(1, nil), .send(2), .begin(2)])
            for _ in 0..<100 { #expect(host.after { $0.strayLine() } == []) }
            #expect(
                host.after { $0.strayLine() } == [.giveUp(2, .ended("wrote only lines that are not messages"))])
            #expect(host.after { $0.strayLine() } == [])
        }

        @Test func `a line that is too long costs one push, also after one hundred that are not messages`() {
            var host = Host()
            _ = host.submit(1...2)
            for _ in 0..<100 { _ = host.after { $0.strayLine() } }
            let failure = PendingPush.Failure.ended("wrote a line without an end")
            #expect(host.after { $0.lineTooLong() } == [.giveUp(1, failure), .start, .send(2), .begin(2)])
            _ = host.handlerCalled(2)
            #expect(host.after { $0.lineTooLong() } == [.replaceProcess])
        }

        @Test func `memory is checked every 5 ms, and may be as much as the limit`() {
            var host = Host()
            #expect(!host.machine.checksMemory)
            _ = host.submit(1...2)
            #expect(host.machine.checksMemory && host.machine.nextDeadline == 5_000_000)
            #expect(host.after { $0.memoryMeasured(1000, at: 6_000_000) } == [])
            #expect(host.machine.nextDeadline == 11_000_000)
            #expect(
                host.after { $0.memoryMeasured(1001, at: 11_000_000) }
                    == [.giveUp(1, .memoryLimit(used: 1001, limit: 1000)), .start, .send(2), .begin(2)])
        }

        // MARK: - Any order

        /// Whatever a program does in whatever order: no push is lost, none is done twice, and none is waited for without end.
        @Test func `each push is done once, and until then there is a deadline`() {
            for seed in 0..<Effort.rounds(2000, fast: 100) {
                var random = SeededGenerator(seed: UInt64(seed))
                var host = Host()
                var (last, sent, done): (UInt64, Set<UInt64>, Set<UInt64>) = (0, [], [])
                for _ in 0..<100 {
                    let id = UInt64.random(in: max(last, 4) - 4...last + 1, using: &random)
                    host.now += Int64.random(in: 0...3, using: &random) * Self.second
                    let now = host.now
                    let actions: [Action]
                    // Without a process there are no messages.
                    let hasProcess =
                        switch host.machine.state {
                        case .stopped, .broken: false
                        case .idle, .handling, .returning: true
                        }
                    switch hasProcess ? Int.random(in: 0..<12, using: &random) : 0 {
                    case 0...2:
                        last += 1
                        actions = host.submit(last...last)
                    case 3: actions = host.ready(Int64.random(in: 1...4, using: &random))
                    case 4, 5: actions = host.handlerCalled(id)
                    case 6: actions = host.finished(id)
                    case 7: actions = host.message { $0.timeExpired(id) }
                    case 8: actions = host.message { $0.unreadable(id) }
                    case 9: actions = host.after { $0.strayLine() }
                    case 10: actions = host.end(Bool.random(using: &random) ? .exited(0) : nil)
                    default:
                        host.machine.inputClosed(at: now)
                        actions = host.pass(0)
                    }
                    for action in actions {
                        switch action {
                        case .start: sent = []
                        case .send(let id): #expect(sent.insert(id).inserted && !done.contains(id))
                        case .begin(let id): #expect(sent.contains(id) && !done.contains(id))
                        case .finish(let id, _), .giveUp(let id, _): #expect(done.insert(id).inserted)
                        case .expire, .retry, .replaceProcess: break
                        }
                    }
                    #expect(host.machine.head == nil ? UInt64(done.count) == last : host.machine.deadline < .max)
                }
            }
        }
    }
#endif
