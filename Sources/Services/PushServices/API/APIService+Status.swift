import CAPIDescription
import PayloadJSON
import PushStore

extension APIService {
    /// Which pushpipe answers, and what it can show.
    func status() throws(APIError) -> GatewayAnswer {
        let lines = try reading { try screens.store.journalPlaces() }
        var out = ByteBuffer()
        out.append("{\"version\":")
        out.appendJSONString(host.version)
        out.appendMember("mode", host.mode.rawValue)
        out.appendMember("read_only", host.isReadOnly)
        out.appendMember("redacted", traffic.isRedacted)
        out.appendMember("store", host.storePath)
        out.appendMember("demands", host.demands.map(\.rawValue))
        out.appendMemberName("messages")
        out.append("{\"first\":")
        out.append(traffic.log.firstID)
        out.appendMember("next", Int(clamping: traffic.log.nextID))
        out.appendMember("kept", traffic.log.maximumCount)
        out.append("}")
        out.appendMemberName("journal")
        out.append("{\"first\":")
        out.append(lines.lowerBound)
        out.appendMember("next", Int(clamping: lines.upperBound))
        if let limit = host.journalLimit { out.appendMember("kept", limit) }
        out.append("}}\n")
        return .api(out)
    }

    /// The file `openapi.json`: every route of `APIRoute` with its method and path, and nothing else. `OpenAPITests` compares them.
    func description() -> GatewayAnswer {
        let file = unsafe api_description()
        var out = ByteBuffer(capacity: unsafe file.count)
        // SOUND: the bytes are a constant of the program, and the count is theirs.
        if let bytes = unsafe file.bytes { unsafe out.append(BorrowedText(start: bytes, count: file.count)) }
        return .api(out)
    }
}
