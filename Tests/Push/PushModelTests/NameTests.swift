import PushModel
import Testing

/// The name of a case in the source, also of an enum that prints itself in another way.
@_silgen_name("swift_EnumCaseName") private func sourceName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Names stand in tables in the order of the cases. A case's own name says which one it has.
@Suite struct NameTests {
    /// `fannedOut` is `fanned-out`.
    private static func kebab<Value>(_ value: Value) -> String {
        let name = sourceName(value).map { String(cString: $0) } ?? ""
        return name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    @Test(arguments: Outcome.allCases)
    func `an outcome has the name of its case`(outcome: Outcome) {
        #expect("\(outcome)" == Self.kebab(outcome))
    }

    /// The contract with stores is older than the names of the cases.
    static let others: [JournalKind: String] = [
        .tokenDisabled: "token_disabled", .tokenDeleted: "token_deleted", .pushCenter: "push-centre",
        .showCenter: "show-centre",
    ]

    @Test(arguments: JournalKind.allCases)
    func `a kind of journal line has the name of its case, or one that stores have had before`(kind: JournalKind) {
        #expect("\(kind)" == Self.others[kind] ?? Self.kebab(kind))
    }

    @Test(arguments: ExtensionObstacle.allCases)
    func `an obstacle has the name of its case`(obstacle: ExtensionObstacle) {
        #expect(obstacle.name.description == Self.kebab(obstacle))
    }

    @Test func `providers, gateways and what extensions do have the names of their cases`() {
        #expect(Provider.allCases.map(\.name.description) == Provider.allCases.map(Self.kebab))
        #expect(Gateway.allCases.map(\.name.description) == Gateway.allCases.map(Self.kebab))
        #expect(
            ServiceExtensionOutcome.allCases.map(\.name.description)
                == ServiceExtensionOutcome.allCases.map(Self.kebab))
    }
}
