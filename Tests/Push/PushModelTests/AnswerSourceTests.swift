import PushModel
import Testing

/// How answers are known.
struct AnswerSourceTests {
    @Test(arguments: Rejection.allCases) func `every rejection says how it is known`(_ rejection: Rejection) {
        #expect(!rejection.source.text.description.isEmpty)
    }

    /// Apple's table and Google's have every reason of APNs, GCM and FCM but these; see the reference to each at `Rejection.source`.
    /// Expo documents that errors 500 and 503 come, and no code for them.
    @Test func `only these reasons are in no document`() {
        let others = Rejection.allCases.filter { $0.source.certainty != .documented }
        #expect(
            others == [
                .badEnvironmentKeyInToken, .fcmUnauthenticated, .unknownHook, .expoInternalServerError,
                .expoServiceUnavailable,
            ])
    }

    @Test func `every case is of a service that has rejections`() {
        let speakers = Set(Rejection.table.map(\.speaker.description))
        for known in AnswerCase.table {
            #expect(speakers.contains(known.speaker.description))
            #expect(!known.source.text.description.isEmpty)
        }
    }

    /// AndrewBarba/apns2, issue 23, and Pr0Ger/PyAPNs2, issue 134, for VoIP; no document has the others.
    @Test(arguments: [
        ("400 InvalidPushType", ["observed", "assumed"]), ("400 DeviceTokenNotForTopic", ["observed", "assumed"]),
        ("400 TopicDisallowed", ["assumed"]), ("400 BadRequestParams", ["assumed"]),
        ("413 PayloadTooLarge", ["assumed"]),
    ])
    func `an answer of APNs that no document describes is in the table`(answer: String, certainties: [String]) {
        let known = AnswerCase.table.filter { $0.speaker.description == "apns" && $0.answer.description == answer }
        #expect(known.map(\.source.certainty.rawValue) == certainties)
    }

    /// A status and a word that the service has.
    @Test func `an answer that begins with a status is one of the service's`() {
        for known in AnswerCase.table {
            let words = known.answer.description.split(separator: " ", maxSplits: 1)
            guard let status = Int(words[0]), status != 200 || words.count > 1 else { continue }
            let isKnown = Rejection.table.contains { row in
                row.status == status && row.speaker.description == known.speaker.description
                    && (words[1].hasPrefix(row.reason.description) || words[1] == "with a text")
            }
            #expect(isKnown, "\(known.speaker) \(known.answer)")
        }
    }
}
