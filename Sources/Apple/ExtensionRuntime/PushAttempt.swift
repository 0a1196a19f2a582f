#if os(Linux)
    import Foundation
    import Synchronization
    import UserNotifications

    /// One push, handled by one instance of the extension.
    final class PushAttempt: Sendable {
        private struct Instance: @unchecked Sendable {
            let value: UNNotificationServiceExtension
        }

        let id: Int
        private let instance: Instance
        private let request: UNNotificationRequest
        private let connection: HostConnection
        private let isHandled = Mutex(false)
        private let handled = DispatchSemaphore(value: 0)

        init(
            id: Int, instance: UNNotificationServiceExtension, request: UNNotificationRequest,
            connection: HostConnection
        ) {
            self.id = id
            self.instance = Instance(value: instance)
            self.request = request
            self.connection = connection
        }

        /// Returns when `didReceive` has returned and its content handler has been called.
        func run() {
            instance.value.didReceive(request) { [self] content in handle(content) }
            // Makes what `didReceive` stored in the instance visible to the thread that calls `serviceExtensionTimeWillExpire`.
            isHandled.withLock { _ in }
            handled.wait()
        }

        /// Called when the time is up. The host waits for this attempt only until the call returns.
        func expire() {
            if isHandled.withLock({ $0 }) { return }
            instance.value.serviceExtensionTimeWillExpire()
            connection.send(["method": "timeExpired", "id": id])
        }

        /// Only the first call of the content handler counts, with the content as it is at that moment.
        private func handle(_ content: UNNotificationContent) {
            let isFirst = isHandled.withLock { isHandled in
                defer { isHandled = true }
                return !isHandled
            }
            guard isFirst else {
                connection.send(["method": "finding", "id": id, "rule": "extension.handler-called-twice"])
                return
            }
            connection.send([
                "method": "contentHandler", "id": id, "content": ContentChanges.between(request.content, content),
            ])
            handled.signal()
        }
    }
#endif
