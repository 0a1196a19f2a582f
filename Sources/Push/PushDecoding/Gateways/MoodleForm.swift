import PayloadJSON
import PushModel

/// Moodle's form of 2013: fields from which Airnotifier 1 made an APNs payload of at most 256 bytes, with `alert` in `aps` and the
/// others next to it.
struct MoodleForm {
    let root: JSONView

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var origin = origin
        origin.gateway = .moodle
        origin.budget = .apnsBinary
        return decoder.withDerived(origin, into: &batch) { out in
            out.append("{\"aps\":{")
            out.appendMember("alert", root["alert"])
            out.append("}")
            out.appendMembers(of: root) { key in
                !(key == "alert" || key == "aps" || key == "token" || key == "device")
            }
            out.append("}")
        } _: { decoder, root, origin, batch in
            decoder.decodeAPNsBody(root, origin, into: &batch)
        }
    }
}
