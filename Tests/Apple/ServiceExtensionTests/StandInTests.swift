#if os(Linux)
    import Foundation
    import PushModel
    import ServiceExtension
    import Testing
    import UserNotifications

    /// What stand-ins for SDKs report about a push. `ExtensionModulesSlowTests` builds them.
    @Suite(.serialized) struct StandInTests {
        private final class ReportingService: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                StandIn.report("attached")
                StandIn.reportFailure("not attached", UNError(.attachmentCorrupt))
                StandIn.reportFailure("not attached", StandIn.error("no such file"))
                StandIn.reportFailure("not attached", URLError(.cannotConnectToHost))
                contentHandler(request.content)
            }
        }

        @Test func `the work of a stand-in is a finding of its push, and what failed a warning`() async throws {
            let harness = ServiceExtensionHarness { ReportingService() }
            for _ in 0..<2 {
                let result = try await harness.deliver(HarnessTests.mutable)
                let reported = "extension.reported"
                #expect(result.findings.map(\.rule) == ["extension.stand-in", reported, reported, reported])
                #expect(result.findings.map(\.severity) == [.info, .warning, .warning, .warning])
                #expect(
                    result.findings.map(\.message) == [
                        "attached", "not attached: The file of the attachment is damaged.",
                        "not attached: no such file", "not attached: NSURLErrorDomain -1004",
                    ])
            }
            #expect(harness.findings.count == 8)
        }
    }
#endif
