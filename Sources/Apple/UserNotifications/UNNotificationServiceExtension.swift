#if os(Linux)
    public import Foundation

    /// The base class of an app's service extension, which changes a push notification before it is shown.
    ///
    /// The host creates an instance for each notification, calls `didReceive` once, and `serviceExtensionTimeWillExpire` on another thread when
    /// the time is up. Not `Sendable`, so that subclasses may have variables; `init` is not `required`, so that they may override it.
    open class UNNotificationServiceExtension: NSObject {
        /// Makes an extension.
        public override init() {
            super.init()
        }

        /// Called with a notification that has arrived. The handler takes the content to show.
        ///
        /// The base class passes on what the async form returns.
        open func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            // The instance is made for this push, and whoever overrides the async form does not use it elsewhere at the same time.
            nonisolated(unsafe) let (service, handler) = (self, contentHandler)
            Task.immediate { handler(await service.didReceive(request)) }
        }

        /// Called with a notification that has arrived, in an extension that overrides this form instead. Returns the content to show.
        ///
        /// The base class returns the content unchanged.
        open func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent { request.content }

        /// Called when the time is up: the last chance to call the handler. The base class does nothing.
        open func serviceExtensionTimeWillExpire() {}
    }
#endif
