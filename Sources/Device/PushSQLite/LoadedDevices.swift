import GRDB
import PayloadJSON
import PushStore

/// The devices of which everything in the file is in memory. A device is loaded whole, when it is first touched, and all are let go together.
///
/// Nothing else knows what is loaded: whatever reads or changes a device in memory touches it first.
final class LoadedDevices {
    private struct Name: Hashable {
        let text: BorrowedText

        static func == (left: Self, right: Self) -> Bool { left.text == right.text }

        func hash(into hasher: inout Hasher) {
            // SOUND: the text is in `texts`, or is borrowed for the duration of a lookup.
            unsafe hasher.combine(bytes: text.bytes)
        }
    }

    /// True while every device of the file is in memory, as in a new store, so that none has to be loaded.
    private(set) var areAll = false
    /// Loads what each table has about a device.
    var load: (_ device: BorrowedText) throws -> Void = { _ in }
    /// True if a device has a screen in memory. It was touched before, and need not be kept here.
    var hasScreen: (_ device: BorrowedText) -> Bool = { _ in false }
    /// The other devices that were touched.
    private var names: Set<Name> = []
    private var texts = ScratchArena()
    /// The questions whose answers have been touched: devices that are not in memory do not change.
    private var answered: Set<[String]> = []
    /// More are asked again.
    private static let mostAnswered = 1 << 16

    /// How many have been touched that had no screen.
    var count: Int { names.count }

    func begin(areAll: Bool) { self.areAll = areAll }

    func forget() {
        areAll = false
        names.removeAll(keepingCapacity: true)
        texts.reset()
        answered.removeAll()
    }

    /// Has a device in memory, with everything that the file has about it.
    func touch(_ device: BorrowedText) throws {
        if areAll || hasScreen(device) || names.contains(Name(text: device)) { return }
        try load(device)
        // SOUND: the text is copied within the call.
        if !hasScreen(device) { names.insert(Name(text: unsafe texts.copy(device.bytes))) }
    }

    func touch(_ device: String) throws {
        if !areAll { try BorrowedText.with(device) { try touch($0) } }
    }

    /// Touches the devices whose names a statement returns for some values.
    func touch(answersTo question: PreparedStatement, _ values: String...) throws {
        if areAll { return }
        if answered.count >= Self.mostAnswered { answered.removeAll(keepingCapacity: true) }
        guard answered.insert([question.sql] + values).inserted else { return }
        question.bind(values)
        for device in try question.all({ $0.string(0) }) { try touch(device) }
    }
}

/// The ids of new rows: each gets one more than the last row of its table. In the store of a part they follow from places in the original
/// input: a row gets the place of what caused it, if that is greater.
final class RowIDs {
    enum Table: Int, CaseIterable {
        case center, event, device, installation, held
    }

    private let database: Database
    private let select = Prepared(
        "SELECT " + Table.allCases.map { "coalesce((SELECT max(id) FROM \($0)), 0)" }.joined(separator: ", "))
    /// The greatest id of each table.
    private var last = Table.allCases.map { _ in Int64(0) }
    /// Where the next rows belong, in the store of a part; 0 in any other.
    private var place: Int64 = 0

    init(_ database: Database) { self.database = database }

    /// Begins a transaction.
    ///
    /// - Parameter filled: nil if nobody else has written since the last transaction.
    func begin(_ filled: FilledTables?) throws {
        place = 0
        guard filled != nil else { return }
        let row = try select(database)
        last = try row.first { row in last.indices.map { row.integer(Int32($0)) } } ?? last
    }

    func setPlace(_ place: RowPlace) { self.place = place.id }

    /// The id of the next row of a table.
    ///
    /// - Parameter birth: the place of what caused the row; 0 for the current one.
    func next(_ table: Table, birth: Int64 = 0) -> Int64 {
        let id = max(birth == 0 ? place : birth, last[table.rawValue] &+ 1)
        last[table.rawValue] = id
        return id
    }
}
