import PushModel
import PushPipeline
import PushSystem
import Testing

/// The expectations follow from the order of the conditions: each includes those before it.
struct FailureConditionTests {
    static let malformed = "nonsense"
    static let rejected = #"{"device":"ab12","headers":{"apns-priority":"7","apns-topic":"t"},"payload":{"aps":{}}}"#
    static let warning = #"{"aps":{"alert":"a","alert":"b"}}"#
    static let good = #"{"aps":{"alert":"a"}}"#

    private func conditions(_ input: String) throws -> [FailureCondition] {
        let pipeline = Pipeline(configuration())
        _ = try pipeline.reports(input)
        return FailureCondition.allCases.filter { $0.isMet(by: pipeline.summary) }
    }

    @Test func `a stricter condition includes the milder ones`() throws {
        #expect(try conditions(Self.good) == [])
        #expect(try conditions(Self.warning) == [.warning])
        #expect(try conditions(Self.rejected) == [.rejected, .error, .warning])
        #expect(try conditions(Self.malformed) == [.malformed, .rejected, .error, .warning])
    }

    @Test func `a list has names and commas`() throws {
        #expect(try FailureCondition.list("malformed,warning") == [.malformed, .warning])
        for text in ["", ",", "error,", "error, warning", "rain", "Error"] {
            #expect(throws: PlainError.self) { try FailureCondition.list(text) }
        }
    }
}
