import PushAssistant
import PushJSON
import PushRPC
import PushSystem

/// The assistant's server answers whatever it is sent, however it arrives, with lines that are messages; and the same request with the same
/// answer.
enum AssistantCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes), let folders = try? AllowedFolders(["/"]) else { return nil }
            let text = Array(input.text)
            func answers(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
                let server = AssistantServer(Surroundings(), folders: folders, version: "1")
                var answers: [UInt8] = []
                let connection = AssistantConnection(server, framer: LineFramer(maximumLineBytes: 4096)) {
                    answers += $0
                }
                for piece in pieces { try? connection.receive(piece) }
                return answers
            }
            var pieces: [ArraySlice<UInt8>] = []
            var cuts = CutGenerator(seed: UInt64(input.options.1))
            var rest = text[...]
            while !rest.isEmpty {
                let count = min(1 + cuts.below(40), rest.count)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            for answers in [answers([text[...]]), answers(pieces)] {
                guard answers.isEmpty || answers.last == UInt8(ascii: "\n") else { return "an answer without an end" }
                for line in answers.split(separator: UInt8(ascii: "\n")) {
                    guard let answer = JSONValue(reading: Array(line)), answer["jsonrpc"] == "2.0" else {
                        return "an answer is not a message"
                    }
                }
            }
            return nil
        }
    }

    /// Runs nothing.
    private final class Surroundings: AssistantSurroundings {
        var hear: (() -> Heard)?

        func run(_ arguments: [String], input: [UInt8]) throws(PlainError) -> CommandOutput {
            CommandOutput(status: Int32(input.count % 3), output: input, errors: "")
        }

        func newStore() throws(PlainError) -> String { "/nowhere/phone.db" }

        func request(
            _ method: String, _ path: String, body: [UInt8], seconds: Int
        ) throws(PlainError) -> GatewayAnswer {
            GatewayAnswer(address: "http://127.0.0.1:1", status: 200, body: body)
        }

        func endCall() {}
    }
}
