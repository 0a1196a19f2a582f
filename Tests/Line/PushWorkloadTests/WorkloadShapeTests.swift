import PushWorkload
import Testing

/// Every member of a well-formed record is valid by the services' documentation.
@Suite struct WorkloadShapeTests {
    private func records(_ mix: WorkloadMix) throws -> [GeneratedRecord] {
        try lines(WorkloadConfiguration(count: 5000, seed: 11, mix: mix)).map { try #require(GeneratedRecord($0)) }
    }

    private func isMatch(_ text: Any?, _ pattern: some RegexComponent) -> Bool {
        (text as? String).map { $0.wholeMatch(of: pattern) != nil } ?? false
    }

    @Test func `an APNs record is an envelope with valid headers`() throws {
        var backgrounds = 0
        var texts = 0
        for record in try records(WorkloadMix(apns: 1)) {
            #expect(record.content.keys.allSatisfy { ["device", "headers", "payload"].contains($0) })
            #expect(isMatch(record.device, /[0-9a-f]{64}/))
            let aps = try #require(record.payload["aps"] as? [String: Any])
            if record.content["payload"] is String { texts += 1 }
            guard record.content["headers"] != nil else {
                #expect(aps["alert"] is String)
                continue
            }
            let headers = try #require(record.content["headers"] as? [String: String])
            #expect(isMatch(headers["apns-topic"], /org\.example\.[a-z]+/))
            if let id = headers["apns-id"] {
                #expect(isMatch(id, /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/))
            }
            if let time = headers["apns-expiration"] { #expect(time == "0" || isMatch(time, /20\d{8}/)) }
            if let collapse = headers["apns-collapse-id"] { #expect((1...64).contains(collapse.utf8.count)) }
            if headers["apns-push-type"] == "background" {
                backgrounds += 1
                #expect(headers["apns-priority"] == "5")
                #expect(aps.count == 1 && aps["content-available"] as? Int == 1)
            } else {
                #expect(headers["apns-push-type"] == "alert")
                #expect(["10", "5", nil].contains(headers["apns-priority"]))
                #expect(aps["alert"] is String || aps["alert"] is [String: Any])
                #expect(aps["content-available"] == nil)
            }
            if record.payload["custom-payload-id"] != nil {
                #expect(aps["mutable-content"] as? Int == 1)
                #expect(headers["apns-collapse-id"] == nil)
            }
        }
        #expect(backgrounds > 100)
        #expect(texts > 50)
    }

    @Test func `a legacy message has one target and text for data`() throws {
        var collapseKeys: Set<String> = []
        var lists = 0
        for record in try records(WorkloadMix(gcm: 1)) {
            let message = record.content
            #expect(["to", "registration_ids", "condition"].count { message[$0] != nil } == 1)
            if let list = message["registration_ids"] as? [String] {
                lists += 1
                #expect((1...4).contains(list.count) && Set(list).count == list.count)
                #expect(list.allSatisfy { isRegistrationID($0) })
            } else if let to = message["to"] as? String {
                #expect(isRegistrationID(to) || isMatch(to, /\/topics\/[a-z]+/))
            }
            #expect(message["notification"] != nil || message["data"] != nil)
            if let data = message["data"] { expectData(data) }
            if let priority = message["priority"] as? String { #expect(["high", "normal"].contains(priority)) }
            if let ttl = message["time_to_live"] { #expect((0...2_419_200).contains(try #require(ttl as? Int))) }
            if let key = message["collapse_key"] as? String { collapseKeys.insert(key) }
            if let color = record["notification"]["color"] { #expect(isMatch(color, /#[0-9a-f]{6}/)) }
        }
        #expect(lists > 50)
        #expect((1...4).contains(collapseKeys.count))
    }

    @Test func `a v1 message has one target and typed members`() throws {
        var forIOS = 0
        for record in try records(WorkloadMix(fcm: 1)) {
            let message = record.content
            #expect(["token", "topic", "condition"].count { message[$0] != nil } == 1)
            if let token = message["token"] as? String { #expect(isRegistrationID(token)) }
            if let topic = message["topic"] { #expect(isMatch(topic, /[a-z]+/)) }
            #expect(message["notification"] != nil || message["data"] != nil)
            if let data = message["data"] { expectData(data) }
            if message["android"] != nil {
                #expect(isMatch(record["android"]["ttl"], /\d+(\.\d+)?s/))
                if let priority = record["android"]["priority"] as? String {
                    #expect(["HIGH", "NORMAL"].contains(priority))
                }
            } else {
                forIOS += 1
                #expect(message["apns"] != nil)
            }
            if message["apns"] != nil {
                let headers = try #require(record["apns"]["headers"] as? [String: String])
                let payload = try #require(record["apns"]["payload"] as? [String: Any])
                let aps = try #require(payload["aps"] as? [String: Any])
                #expect((aps["content-available"] as? Int == 1) == (message["notification"] == nil))
                #expect(headers["apns-priority"] == (message["notification"] == nil ? "5" : "10"))
            }
        }
        #expect(forIOS > 100)
    }

    @Test func `every device of FCM is Android or iOS in all of its messages`() throws {
        var platforms: [String: Set<Bool>] = [:]
        for record in try records(WorkloadMix(gcm: 1, fcm: 1)) {
            guard let device = record.device, !device.hasPrefix("/") else { continue }
            let isIOS = record.provider == .fcm && record.content["android"] == nil
            platforms[device, default: []].insert(isIOS)
        }
        #expect(platforms.values.allSatisfy { $0.count == 1 })
    }

    @Test func `texts come raw, escaped, in many scripts and with marks`() throws {
        let all = String(decoding: bytes(try WorkloadConfiguration(count: 3000)), as: UTF8.self)
        for sample in ["Größere", "déplacée", "заказ", "رسالة", "नया", "订单", "届きました", "👨‍👩‍👧‍👦", "𠮷"] {
            #expect(all.contains(sample))
        }
        for sample in [#"\u00"#, #"\ud83"#, #"\n"#, #"\t"#, #"\/"#, #"\\"#, #"\""#] { #expect(all.contains(sample)) }
    }

    private func isRegistrationID(_ text: String) -> Bool {
        isMatch(text, /[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{134}/)
    }

    private func expectData(_ data: Any) {
        let reserved = ["from", "message_type", "collapse_key"]
        guard let data = data as? [String: String] else {
            Issue.record("data has values that are not text")
            return
        }
        #expect(data.keys.allSatisfy { !reserved.contains($0) && !$0.hasPrefix("google") && !$0.hasPrefix("gcm") })
    }
}
