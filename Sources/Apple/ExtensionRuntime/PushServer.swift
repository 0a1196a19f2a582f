#if os(Linux)
    import Foundation
    import Synchronization
    import UserNotifications

    /// Receives pushes from the host one at a time, and runs each in a new instance of the extension.
    ///
    /// A thread reads messages, so that answers and expiration arrive while the extension blocks. A serial queue calls `didReceive`, and the
    /// global queue `serviceExtensionTimeWillExpire`.
    final class PushServer: Sendable {
        /// How many pushes the host may send ahead, so that none waits for a round trip.
        private static let queueLength = 32
        /// Seconds for requests that are still in progress when there are no more pushes. Apple promises no time after the content handler;
        /// most often the process goes on for some seconds, and is suspended then.
        private static let afterlife = 5.0
        /// Seconds in which a request that is just ending is not reported.
        private static let settling = 0.005

        private struct Push: @unchecked Sendable {
            let id: Int
            let date: Date
            let request: UNNotificationRequest
            let device: Device
        }

        /// The state of the device, beside what the host answers.
        private struct Device {
            var lock = DeviceLock.unlocked
            var previews = UNShowPreviewsSetting.always

            init(_ message: [String: Any]) {
                if message["locked"] as? Bool == true { lock = .locked }
                if message["locked"] as? String == "before-first-unlock" { lock = .beforeFirstUnlock }
                switch message["previews"] as? String {
                case "when-unlocked": previews = .whenAuthenticated
                case "never": previews = .never
                default: break
                }
            }
        }

        private let connection: HostConnection
        private let center: RemoteCenter
        private let makeExtension: @Sendable () -> UNNotificationServiceExtension
        private let current = Mutex<PushAttempt?>(nil)
        private let reported = Mutex(ReportedTasks())
        private let pushes = DispatchQueue(label: "pushpipe.pushes")

        init(connection: HostConnection, makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) {
            self.connection = connection
            self.makeExtension = makeExtension
            center = RemoteCenter(connection: connection)
        }

        func start() {
            UNUserNotificationCenter.setHost(center)
            connection.send(["method": "ready", "queue": Self.queueLength])
            Thread { [self] in
                connection.forEachLine { receive($0) }
                // The host is gone, or has no more pushes.
                _ = OpenSessions.wait(for: OpenSessions.runningTasks(), limit: Self.afterlife)
                UserDefaults.standard.synchronize()
                UserDefaults.synchronizeSuites()
                exit(0)
            }.start()
        }

        // MARK: - Messages

        private func receive(_ line: Data) {
            if let message = try? JSONSerialization.jsonObject(with: line) as? [String: Any] {
                receive(message)
            } else {
                refuse(line)
            }
        }

        private func receive(_ message: [String: Any]) {
            switch message["method"] as? String {
            case "didReceive":
                guard let id = message["id"] as? Int, let object = message["request"] as? [String: Any],
                    let identifier = object["identifier"] as? String, let payload = object["payload"] as? [String: Any]
                else { return }
                let content = UNMutableNotificationContent(apnsPayload: payload, localized: Self.localized)
                let date = (object["date"] as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue) } ?? Date()
                let request = UNNotificationRequest(
                    identifier: identifier, content: content, trigger: UNPushNotificationTrigger())
                let push = Push(id: id, date: date, request: request, device: Device(message))
                pushes.async { [self] in serve(push) }
            case "serviceExtensionTimeWillExpire":
                guard let attempt = current.withLock({ $0 }), message["id"] as? Int == attempt.id else { return }
                DispatchQueue.global().async { attempt.expire() }
            case "answer":
                center.receive(message)
            default: break
            }
        }

        /// Reports JSON that Foundation cannot parse, such as a number beyond a double, so that the host does not wait.
        private func refuse(_ line: Data) {
            let head = String(decoding: line.prefix(80), as: UTF8.self)
            guard let id = head.firstMatch(of: /"id":([0-9]+)/).flatMap({ Int($0.1) }) else { return }
            connection.send(["method": "unreadable", "id": id])
        }

        /// The text for a key in the extension's bundle, or nil.
        static func localized(_ key: String) -> String? {
            LocalizedText.text(forKey: key, table: nil, bundle: .main)
        }

        // MARK: - Work

        private func serve(_ push: Push) {
            let arrival = ProcessInfo.processInfo.systemUptime
            UNNotificationTrigger.now = {
                push.date.addingTimeInterval(ProcessInfo.processInfo.systemUptime - arrival)
            }
            center.begin(push.id, previews: push.device.previews)
            DeviceLock.set(push.device.lock)
            UserDefaults.synchronizeSuites()
            let attempt = PushAttempt(
                id: push.id, instance: makeExtension(), request: push.request, connection: connection)
            current.withLock { $0 = attempt }
            attempt.run()
            reportUnfinishedWork(of: push)
            UserDefaults.synchronizeSuites()
            connection.send(Data("{\"method\":\"finished\",\"id\":\(push.id)}\n".utf8))
        }

        /// Reports requests that go on although the content handler was called: the system may suspend the process before they end. Each is
        /// reported for the push after which it is seen first.
        private func reportUnfinishedWork(of push: Push) {
            let running = OpenSessions.runningTasks()
            let others = reported.withLock { $0.others(in: running) }
            let tasks = OpenSessions.wait(for: others, limit: Self.settling)
            reported.withLock { $0.add(tasks) }
            guard let first = tasks.first else { return }
            let request = first.originalRequest
            let name = "\(request?.httpMethod ?? "GET") \(request?.url?.absoluteString ?? "")"
            connection.send([
                "method": "finding", "id": push.id, "rule": "extension.unfinished-work",
                "message": tasks.count == 1 ? name : "\(name) and \(tasks.count - 1) more",
            ])
        }
    }

    /// One push, handled by one instance of the extension.
    final class PushAttempt: Sendable {
        private struct Instance: @unchecked Sendable {
            let value: UNNotificationServiceExtension
        }

        let id: Int
        /// Nil when the push is over. An extension that keeps its content handler, as Apple's template does, would keep itself otherwise.
        private let instance: Mutex<Instance?>
        private let request: UNNotificationRequest
        private let connection: HostConnection
        private let isHandled = Mutex(false)
        private let handled = DispatchSemaphore(value: 0)

        init(
            id: Int, instance: UNNotificationServiceExtension, request: UNNotificationRequest,
            connection: HostConnection
        ) {
            self.id = id
            self.instance = Mutex(Instance(value: instance))
            self.request = request
            self.connection = connection
        }

        /// Returns when `didReceive` has returned and its content handler has been called.
        func run() {
            instance.withLock { $0 }?.value.didReceive(request) { [self] content in handle(content) }
            // Makes what `didReceive` stored in the instance visible to the thread that calls `serviceExtensionTimeWillExpire`.
            isHandled.withLock { _ in }
            handled.wait()
            // Released outside the lock, because that may call the extension.
            _ = instance.withLock { $0.take() }
        }

        /// Called when the time is up. The host waits for this attempt only until the call returns.
        func expire() {
            if isHandled.withLock({ $0 }) { return }
            instance.withLock { $0 }?.value.serviceExtensionTimeWillExpire()
            connection.send(["method": "timeExpired", "id": id])
        }

        /// Takes the content of the first call of the content handler as it is at that moment. Later calls do not count.
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
