import PushJSON
import PushModel
import TestSupport
import Testing

@Suite struct PushTypeTableTests {
    @Test(arguments: PushTypeFact.all)
    func `each of Apple's push types has one row with its topic suffix`(fact: PushTypeFact) throws {
        let rows = PushType.table.filter { $0.wireName.description == fact.name }
        try #require(rows.count == 1)
        #expect(rows[0].topicSuffix.description == fact.suffix)
        #expect(rows[0].isShown == fact.isShown)
    }

    @Test func `there is no push type of our own`() {
        #expect(PushType.table.map(\.wireName.description).sorted() == PushTypeFact.all.map(\.name).sorted())
    }

    @Test(arguments: PushType.allCases)
    func `a push type's row stands at its raw value`(type: PushType) throws {
        try #require(Int(type.rawValue) < PushType.table.count)
        #expect(PushType.table[Int(type.rawValue)].type == type)
    }

    @Test(arguments: PushType.allCases)
    func `a push type is found by its wire name`(type: PushType) {
        #expect(PushType(wireName: BorrowedText(type.row.wireName)) == type)
    }

    @Test(arguments: ["Alert", "ALERT", "alert ", " alert", "", "aler", "alerts", "live-activity", "LiveActivity"])
    func `a push type in another spelling is none`(name: String) {
        let type = Array(name.utf8).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { PushType(wireName: BorrowedText(start: $0, count: bytes.count)) }
        }
        #expect(type == nil)
    }
}

@Suite struct BudgetTableTests {
    /// The table in Documentation/reference/formats.md, with the vendors' numbers.
    static let facts: [(name: String, bytes: Int)] = [
        ("apns", 4096), ("apns-voip", 5120), ("apns-broadcast", 5120), ("apns-2048", 2048), ("apns-256", 256),
        ("gcm", 4096), ("fcm", 4096), ("gcm-topic", 2048), ("fcm-topic", 2048),
    ]

    @Test(arguments: facts)
    func `each documented budget has a row, a number and a source`(name: String, bytes: Int) throws {
        let rows = Budget.table.filter { $0.name == name }
        try #require(rows.count == 1)
        #expect(rows[0].bytes == bytes)
        #expect(!rows[0].source.isEmpty)
    }

    @Test func `there is no budget that is not documented`() {
        #expect(Set(Budget.table.compactMap(\.name)) == Set(Self.facts.map(\.name)))
        #expect(Budget.table.count == Self.facts.count)
    }

    @Test(arguments: facts)
    func `a budget is found by its name`(name: String, bytes: Int) throws {
        let budget = try #require(Budget(parsing: name))
        #expect(budget.name == name)
        #expect(budget.bytes == bytes)
    }

    @Test(arguments: [
        ("1", 1), ("256", 256), ("1000", 1000), ("4097", 4097), ("4K", 4096), ("4kB", 4000),
        ("9223372036854775807", Int.max),
    ])
    func `a number is a budget of that many bytes`(text: String, bytes: Int) throws {
        let budget = try #require(Budget(parsing: text))
        #expect(budget.bytes == bytes)
        #expect(budget.name == nil)
    }

    @Test(arguments: [
        "", "0", "-1", "+5", " 5", "5 ", "1e3", "0x10", "4.5", "4.5k", "4 k", "5\u{0301}", "٥", "apns-257", "APNS",
        "apns ",
        "voip",
        "9223372036854775808", "99999999999999999999",
    ])
    func `any other text is no budget`(text: String) {
        #expect(Budget(parsing: text) == nil)
    }
}
