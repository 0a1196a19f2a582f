import PayloadJSON
import PushFaults
import PushYAML

extension APIService {
    func setFaults(_ request: GatewayRequest) throws(APIError) -> GatewayAnswer {
        guard !request.isTooLarge else { throw APIError(status: 413, message: "the body is over 64 KiB") }
        guard request.body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw .badRequest("the body has no rules; DELETE \(APIRoute.removeFaults.path) removes those in force")
        }
        do {
            faults.rules = FaultRules(try FaultFile.rules(request.body), now: faults.monotonicMilliseconds())
        } catch {
            throw .badRequest(error.line.map { "line \($0): \(error.message)" } ?? error.message)
        }
        faults.text = String(decoding: request.body, as: UTF8.self)
        return listFaults()
    }

    /// The number of times that each rule was used, and the text of the rules, unless only the report may be shown: they name tokens.
    func listFaults() -> GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"faults\":")
        out.appendArray(faults.rules.uses) { uses, out in
            out.append("{\"uses\":")
            out.append(Int64(uses))
            out.append("}")
        }
        if !traffic.isRedacted { out.appendMember("text", faults.text) }
        out.append("}\n")
        return .api(out)
    }
}
