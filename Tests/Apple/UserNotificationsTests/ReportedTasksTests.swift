#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Testing
    @testable import UserNotifications

    /// Requests that go on after the content handler.
    struct ReportedTasksTests {
        @Test func `a task is reported once`() throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            // None is started.
            let tasks = (0..<3).map { _ in URLSession.shared.dataTask(with: url) }
            var reported = ReportedTasks()
            #expect(reported.others(in: Array(tasks[..<2])) == Array(tasks[..<2]))
            reported.add(Array(tasks[..<2]))
            #expect(reported.others(in: tasks) == [tasks[2]])
            reported.add([tasks[2]])
            #expect(reported.others(in: tasks).isEmpty)
        }
    }
#endif
