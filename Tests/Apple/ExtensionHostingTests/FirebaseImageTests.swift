#if os(Linux)
    import PushDevices
    import PushModel
    import Testing

    /// The picture of a message for FCM, which Firebase's helper for service extensions attaches.
    ///
    /// Source: Firebase, "Send an image in the notification payload"; firebase-ios-sdk, `FIRMessagingExtensionHelper.m`.
    struct FirebaseImageTests {
        private static let mutable = #""payload":{"aps":{"mutable-content":1}}"#

        private func run(_ members: String) throws -> Run {
            try Run("firebase", input: #"{"message":{"token":"T",\#(members)}}"# + "\n")
        }

        @Test(arguments: [
            #""notification":{"title":"x"},"apns":{\#(mutable),"fcm_options":{"image":"a.png"}}"#,
            #""notification":{"title":"x"},"apns":{\#(mutable),"fcmOptions":{"image":"a.png"}}"#,
            #""notification":{"title":"x","image":"a.png"},"apns":{\#(mutable)}"#,
            #""notification":{"title":"x","image":"b.png"},"apns":{\#(mutable),"fcm_options":{"image":"a.png"}}"#,
        ])
        func `an image reaches the service extension`(members: String) throws {
            let run = try run(members)
            #expect(run.extensions == [.modified], "\(run.messages)")
            #expect(try run.shown().first?.changes?.contains(#""a.png""#) == true)
        }

        @Test func `without mutable-content no extension starts, and there is no image`() throws {
            let run = try run(
                #""notification":{"title":"x"},"apns":{"payload":{"aps":{}},"fcm_options":{"image":"a.png"}}"#)
            #expect(run.extensions == [nil])
            #expect(try run.shown().map(\.changes) == [nil])
        }
    }
#endif
