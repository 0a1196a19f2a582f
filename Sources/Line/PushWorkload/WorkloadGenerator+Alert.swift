extension WorkloadGenerator {
    /// An APNs envelope of exactly `bytes` bytes, with an alert that is shown and the headers and members that most
    /// senders set. The length of the body makes all records equally long.
    mutating func appendAlert(bytes: Int, to buffer: inout [UInt8]) {
        let start = buffer.count
        let earlier = hits(configuration.replaceRate) ? apnsPosts.pick(&random) : nil
        let device = earlier?.device ?? drawDevice(population.apns)
        let app = earlier?.app ?? (device + random.below(3)) % vocabulary.apps.count
        let post = earlier ?? Post(device: device, app: app, kind: .system, number: random.next() >> 24)
        if earlier == nil { apnsPosts.remember(post) }

        buffer.write(#"{"device":"#)
        Population.writeToken(device, to: &buffer)
        buffer.write(#","headers":{"apns-topic":""#)
        buffer.append(contentsOf: vocabulary.apps[app].raw)
        buffer.write(#"","apns-push-type":"alert","apns-priority":"10""#)
        writeIdentifier(post, as: #","apns-collapse-id":""#, to: &buffer)
        buffer.write(#"},"payload":{"aps":{"alert":{"title":""#)
        let script = vocabulary.scripts[drawVoice(RecordPlan()).script]
        buffer.append(contentsOf: script.phrases[random.below(script.phrases.count)].raw)
        buffer.write(#"","body":""#)

        var ending: [UInt8] = []
        swap(&ending, &scratch)
        ending.removeAll(keepingCapacity: true)
        ending.write(#""},"badge":"#)
        ending.write(number: max(1, random.below(30)))
        ending.write(#","sound":"default","mutable-content":1},"article":"#)
        ending.write(number: random.below(1_000_000))
        ending.write("}}")
        writeText(exactly: bytes - (buffer.count - start) - ending.count, script, to: &buffer)
        buffer.append(contentsOf: ending)
        swap(&ending, &scratch)
    }

    /// Writes whole phrases of the script while they fit, and fills the rest with English ones, which can be cut at any
    /// byte.
    private mutating func writeText(exactly count: Int, _ script: Script, to buffer: inout [UInt8]) {
        var left = count
        while true {
            let phrase = script.phrases[random.below(script.phrases.count)].raw
            guard phrase.count + script.joint.raw.count <= left else { break }
            buffer.append(contentsOf: phrase)
            buffer.append(contentsOf: script.joint.raw)
            left -= phrase.count + script.joint.raw.count
        }
        let english = vocabulary.scripts[0].phrases
        while left > 0 {
            let part = english[random.below(english.count)].raw.prefix(left)
            buffer.append(contentsOf: part)
            left -= part.count
        }
    }
}
