import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// Two stores on one file. A writer tries for seconds before it gives up.
struct LockSlowTests {
    @Test func `a second writer gives up after a while, and can try again`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder())
        let second = try SQLiteStore(path: folder())
        try second.run([apns(collapseID: "a")])
        try first.transaction(replacing: nil) { session in
            try session.deliverAll([apns(collapseID: "b")])
            let error = #expect(throws: StoreError.self) { try second.run([apns(collapseID: "a")]) }
            #expect(error?.code == .locked)
        }
        #expect(try second.run([apns(collapseID: "b")]) == [Delivery(outcome: .replaced, replaces: 2)])
        #expect(try first.lines() == ["a: Text", "b: Text"])
    }

    @Test func `patience can change while a store is open`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder())
        let second = try SQLiteStore(path: folder())
        #expect(second.patience == SQLiteStore.secondsToWait)
        second.patience = 0
        try first.transaction(replacing: nil) { session in
            try session.deliverAll([apns(collapseID: "b")])
            let error = #expect(throws: StoreError.self) { try second.run([apns(collapseID: "a")]) }
            #expect(error?.code == .locked)
        }
    }
}
