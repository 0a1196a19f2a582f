import PayloadJSON
import PushDecoding
import PushStore

extension APIService {
    func listDevices(_ target: APITarget) throws(APIError) -> GatewayAnswer {
        var offset = 0
        var limit = 100
        var search: String?
        for (name, value) in target.parameters {
            switch name {
            case "offset": offset = try MessageQuery.number(name, value, 0...Int(Int32.max))
            case "limit": limit = try MessageQuery.number(name, value, 1...MessageQuery.maximumLimit)
            case "search": search = value
            default: throw .unknownParameter(name, of: ["search", "offset", "limit"])
            }
        }
        // One more, to know whether there are more.
        let wanted = limit + 1
        let skipped = offset
        let apps = try reading { try screens.store.apps(matching: search, offset: skipped, limit: wanted) }
        var out = ByteBuffer()
        out.append("{\"devices\":")
        out.appendArray(apps.prefix(limit), separator: ",\n") { screens.append($0, to: &$1) }
        if apps.count > limit {
            let search = search.map { "&search=\(APITarget.encoded($0))" } ?? ""
            out.appendMember(
                "next", "\(APIRoute.listDevices.path)?offset=\(offset + limit)&limit=\(limit)\(search)")
        }
        out.append("}\n")
        return .api(out)
    }

    func device(_ device: String) throws(APIError) -> GatewayAnswer {
        let device = DeviceToken.canonical(device)
        let (apps, registered) = try reading {
            (try screens.store.apps(on: device), try screens.store.registered(on: device))
        }
        var out = ByteBuffer()
        out.append("{\"device\":")
        out.appendJSONString(device)
        out.appendArray(named: "apps", apps, separator: ",\n") { screens.append($0, to: &$1) }
        out.appendMemberName("registered")
        screens.append(registered, to: &out)
        out.append("}\n")
        return .api(out)
    }

    func screens(_ device: String, _ target: APITarget) throws(APIError) -> GatewayAnswer {
        var app: String?
        var page = ScreenPage()
        var place: UInt64?
        for (name, value) in target.parameters {
            switch name {
            case "app": app = value
            case "limit": page.limit = try MessageQuery.number(name, value, 1...MessageQuery.maximumLimit)
            case "before": page.before = try MessageQuery.number(name, value, "a place from the next link")
            case "at": place = try MessageQuery.number(name, value, MessageQuery.line)
            default: throw .unknownParameter(name, of: ["app", "limit", "before", "at"])
            }
        }
        if let place { return try screens(device, app: app, at: place) }
        let device = DeviceToken.canonical(device)
        let path = APIRoute.getScreens.path.replacing("{device}", with: APITarget.encoded(device))
        var out = ByteBuffer()
        out.append("{\"device\":")
        out.appendJSONString(device)
        do { try screens.appendScreens(device: device, app: app, page, path: path, to: &out) } catch {
            throw Self.failure(error)
        }
        out.append("}\n")
        return .api(out)
    }

    func addRecords(_ request: GatewayRequest, _ records: inout RecordComposer) throws(APIError) -> RequestPlan {
        guard !request.isTooLarge else { throw APIError(status: 413, message: "the body is over 64 KiB") }
        var lines = ByteBuffer()
        var ends: [Int] = []
        try RecordsBody.forEach(request.body) { line in
            lines.append(line)
            ends.append(lines.count)
        }
        lines.withText { text in
            var start = 0
            for end in ends {
                // SOUND: the ends are those of lines in the text.
                unsafe records.append(record: BorrowedText(start: text.start + start, count: end - start))
                start = end
            }
        }
        return .report(RecordsAnswer())
    }

    func reset(_ request: GatewayRequest) throws(APIError) -> GatewayAnswer {
        var includesDevices = false
        if !request.body.isEmpty {
            let wanted: Bool?? = request.body.withJSON { root in
                guard root.isObject else { return nil }
                for (name, _) in root.members { guard name == "devices" else { return nil } }
                guard let devices = root["devices"] else { return false }
                return devices.text == "true" ? true : devices.text == "false" ? false : nil
            }
            guard let wanted, let wanted else {
                throw .badRequest("the body is empty, or an object with devices, true or false, and nothing else")
            }
            includesDevices = wanted
        }
        if includesDevices {
            guard let forgetDevices else {
                throw APIError(
                    status: 409,
                    message:
                        "devices in a file are not forgotten; start the gateway with a store in memory, or another file"
                )
            }
            do { try forgetDevices() } catch { throw Self.failure(error) }
        }
        let count = traffic.log.count
        traffic.removeMessages()
        var out = ByteBuffer()
        out.append("{\"messages\":")
        out.append(Int64(count))
        out.appendMember("devices", includesDevices)
        out.append("}\n")
        return .api(out)
    }

    func reading<Result>(_ body: () throws -> Result) throws(APIError) -> Result {
        do { return try body() } catch { throw Self.failure(error) }
    }

    static func failure(_ error: any Error) -> APIError {
        APIError(status: 500, message: "the store cannot be read: \(error)")
    }
}
