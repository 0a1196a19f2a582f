#if os(Linux)
    import RaiseBadge
    import ServiceExtension
    import Testing
    import UserNotifications

    /// A service extension in a test of its app.
    struct ExtensionTests {
        @Test func `an extension runs as on a device`() async throws {
            let harness = ServiceExtensionHarness { NotificationService() }
            _ = try await harness.deliver(#"{"aps":{"alert":"Dinner is ready","badge":2,"mutable-content":1}}"#)
            #expect(harness.delivered.map { $0.request.content.badge } == [3])
        }
    }
#endif
