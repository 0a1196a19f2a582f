#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    struct ValueTests {
        private static let name = UNNotificationSoundName("ping.caf")
        private static let sounds: [UNNotificationSound] = [
            .default, .defaultCritical, .defaultRingtone, UNNotificationSound(named: name),
            .defaultCriticalSound(withAudioVolume: 0.5), .criticalSoundNamed(name),
            .criticalSoundNamed(name, withAudioVolume: 0.5), .ringtoneSoundNamed(name),
        ]

        @Test func `sounds are equal to themselves alone`() {
            for (index, sound) in Self.sounds.enumerated() {
                #expect(Self.sounds.firstIndex(of: sound) == index)
            }
            #expect(UNNotificationSound.default == UNNotificationSound.default)
            #expect(Set(Self.sounds).count == Self.sounds.count)
        }

        @Test func `a category keeps what it was made of`() {
            let reply = UNTextInputNotificationAction(
                identifier: "reply", title: "Reply", options: [.foreground], textInputButtonTitle: "Send",
                textInputPlaceholder: "Text")
            let delete = UNNotificationAction(
                identifier: "delete", title: "Delete", options: [.destructive, .authenticationRequired],
                icon: UNNotificationActionIcon(systemImageName: "trash"))
            let category = UNNotificationCategory(
                identifier: "message", actions: [reply, delete], intentIdentifiers: ["i"],
                hiddenPreviewsBodyPlaceholder: "%u messages", categorySummaryFormat: nil,
                options: [.customDismissAction, .hiddenPreviewsShowTitle])
            #expect(category.actions == [reply, delete])
            #expect(category.categorySummaryFormat.isEmpty)
            #expect(category.hiddenPreviewsBodyPlaceholder == "%u messages")
            #expect(category.options.rawValue == 5)
            #expect(category.copy() as? UNNotificationCategory == category)
        }

        @Test func `categories of the same values are one member of a set`() {
            func category(_ title: String) -> UNNotificationCategory {
                UNNotificationCategory(
                    identifier: "a", actions: [UNNotificationAction(identifier: "b", title: title)],
                    intentIdentifiers: [])
            }
            #expect(Set([category("x"), category("x")]).count == 1)
            #expect(Set([category("x"), category("y")]).count == 2)
        }

        @Test func `an action that asks for a text is no plain action`() {
            let plain = UNNotificationAction(identifier: "a", title: "b")
            let text = UNTextInputNotificationAction(
                identifier: "a", title: "b", textInputButtonTitle: "", textInputPlaceholder: "")
            #expect(plain != text && text != plain)
            #expect(
                UNNotificationActionIcon(systemImageName: "a") != UNNotificationActionIcon(templateImageName: "a"))
        }

        @Test func `a response carries notification, action and text`() {
            let request = UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil)
            let notification = UNNotification(date: Date(timeIntervalSince1970: 0), request: request)
            let tap = UNNotificationResponse(notification: notification)
            let text = UNTextInputNotificationResponse(
                notification: notification, actionIdentifier: "reply", userText: "Hi")
            #expect(tap.actionIdentifier == UNNotificationDefaultActionIdentifier)
            #expect(text.userText == "Hi" && text.notification == notification)
        }

        @Test func `settings allow everything until told otherwise`() {
            let settings = UNNotificationSettings()
            #expect(settings.authorizationStatus == .authorized && settings.alertStyle == .banner)
            #expect(settings.soundSetting == .enabled && settings.showPreviewsSetting == .always)
            let denied = UNNotificationSettings(authorizationStatus: .denied, providesAppNotificationSettings: true)
            #expect(settings != denied)
        }
    }

    struct ErrorTests {
        @Test(arguments: [
            (UNError.notificationsNotAllowed, 1), (UNError.attachmentInvalidURL, 100),
            (UNError.attachmentUnrecognizedType, 101), (UNError.attachmentInvalidFileSize, 102),
            (UNError.attachmentNotInDataStore, 103), (UNError.attachmentMoveIntoDataStoreFailed, 104),
            (UNError.attachmentCorrupt, 105), (UNError.notificationInvalidNoDate, 1400),
            (UNError.notificationInvalidNoContent, 1401), (UNError.contentProvidingObjectNotAllowed, 1500),
            (UNError.contentProvidingInvalid, 1501), (UNError.badgeInputInvalid, 1600),
        ])
        func `each code has its number, here and in NSError`(code: UNError.Code, number: Int) {
            let error = UNError(code) as NSError
            #expect(code.rawValue == number)
            #expect(error.code == number)
            #expect(error.domain == UNErrorDomain)
            #expect(!error.localizedDescription.isEmpty)
            #expect(error.localizedDescription == UNError(code).localizedDescription)
        }

        @Test func `an error is caught by its code`() {
            do {
                throw UNError(.attachmentCorrupt)
            } catch UNError.attachmentInvalidURL {
                Issue.record("another code")
            } catch UNError.attachmentCorrupt {
                // The one that was thrown.
            } catch {
                Issue.record(error)
            }
        }

        @Test func `errors are equal by code and user info`() {
            #expect(UNError(.attachmentCorrupt) == UNError(.attachmentCorrupt))
            #expect(UNError(.attachmentCorrupt) != UNError(.attachmentCorrupt, userInfo: ["a": 1]))
            #expect(UNError(.attachmentCorrupt) != UNError(.attachmentInvalidURL))
            let described = UNError(.attachmentCorrupt, userInfo: [NSLocalizedDescriptionKey: "own words"])
            #expect((described as NSError).localizedDescription == "own words")
        }
    }
#endif
