#if os(Linux)
    import Foundation
    import Testing
    @_spi(Overlay) import UserNotifications

    /// Methods in place of selectors: how `#selector` is compiled, `ExtensionSourceTests` says.
    struct SelectorTests {
        private final class Observer: @unchecked Sendable {
            var calls: [String] = []

            func plain() { calls.append("plain") }
            func notified(_ notification: Notification) { calls.append(notification.name.rawValue) }
            func notifiedAsObject(_ notification: NSNotification) -> Int {
                calls.append("object \(notification.object ?? "nil")")
                return 1
            }
            func any(_ value: Any?) throws {
                calls.append("any")
                throw CancellationError()
            }
            func number(_ value: Int) { calls.append("number") }
            func fired(_ timer: Timer) { calls.append("fired \(timer.isValid)") }

            func observe(_ center: NotificationCenter, _ name: Notification.Name?) {
                center.addObserver(self, selector: Selector(plain), name: name, object: nil)
                center.addObserver(self, selector: Selector(self.notified(_:)), name: name, object: nil)
            }
        }

        private let center = NotificationCenter()
        private static let name = Notification.Name("a")

        @Test func `an observer gets notifications in the form that it takes`() {
            let observer = Observer()
            observer.observe(center, Self.name)
            center.addObserver(observer, selector: Selector(Observer.notifiedAsObject), name: Self.name, object: nil)
            center.addObserver(observer, selector: Selector(Observer.any(_:)), name: nil, object: nil)
            center.addObserver(observer, selector: Selector(Observer.number(_:)), name: nil, object: nil)
            center.post(name: Self.name, object: "x")
            #expect(Set(observer.calls) == ["plain", "a", "object x", "any"])
            #expect(observer.calls.count == 4)
            center.post(name: Notification.Name("b"), object: nil)
            #expect(observer.calls.count == 5)
        }

        @Test func `an observer is removed, from all notifications or from some`() {
            let observer = Observer()
            let other = Observer()
            observer.observe(center, Self.name)
            observer.observe(center, Notification.Name("b"))
            other.observe(center, Self.name)
            center.remove(observer, name: Self.name, object: nil)
            center.post(name: Self.name, object: nil)
            #expect(observer.calls.isEmpty && other.calls.count == 2)
            center.post(name: Notification.Name("b"), object: nil)
            #expect(observer.calls.count == 2)
            center.remove(observer)
            center.post(name: Notification.Name("b"), object: nil)
            #expect(observer.calls.count == 2)
            // A block is removed by its token, as ever.
            let calls = Observer()
            let token = center.addObserver(forName: Self.name, object: nil, queue: nil) { [calls] _ in calls.plain() }
            center.remove(token)
            center.post(name: Self.name, object: nil)
            #expect(calls.calls.isEmpty)
        }

        @Test func `only notifications of an object are passed on, and an observer that is gone gets none`() {
            let object = NSObject()
            var observer: Observer? = Observer()
            center.addObserver(observer as Any, selector: Selector(Observer.plain), name: nil, object: object)
            center.post(name: Self.name, object: NSObject())
            #expect(observer?.calls == [])
            center.post(name: Self.name, object: object)
            #expect(observer?.calls == ["plain"])
            weak let gone = observer
            observer = nil
            #expect(gone == nil)
            center.post(name: Self.name, object: object)
        }

        @Test func `a timer calls its target`() {
            let observer = Observer()
            let timer = Timer(
                timeInterval: 1000, target: observer, selector: Selector(Observer.fired), userInfo: nil, repeats: true)
            timer.fire()
            #expect(observer.calls == ["fired true"])
            timer.invalidate()
        }
    }
#endif
