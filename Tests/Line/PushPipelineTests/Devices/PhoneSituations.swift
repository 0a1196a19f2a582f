/// Situations that app makers have asked about in public, each with a thread. What follows is what their answers, and the vendors' pages, say.
extension PhoneFactTests {
    static func alert(_ title: String, _ aps: String = "", headers: String = "") -> String {
        #"{"device":"ab54","headers":{"apns-topic":"\#(app)","apns-push-type":"alert"\#(headers.isEmpty ? "" : ",")\#(headers)},"#
            + #""payload":{"aps":{"alert":{"title":"\#(title)"}\#(aps.isEmpty ? "" : ",")\#(aps)}}}"#
    }

    static func dataAlone(_ android: String = "") -> String {
        #"{"message":{"token":"pixel","data":{"a":"b"},"android":{\#(android)}}}"#
    }

    private static let front = phone(#""state":"foreground""#)
    private static let gone = pixel(#""online":false"#)
    private static let focus = #"{"event":"focus","device":"ab54","on":true}"#
    private static let high = #"{"id":"c","importance":"high"}"#
    private static let inFront = "1 device applied [come-to-front]"

    static let asked: [Fact] = [
        Fact(
            "node-apn 249: a badge alone sets the number, and shows nothing",
            [front, phone(#""state":"terminated""#), typed("alert", #""badge":5"#)],
            [inFront, "2 device applied", "3 silent [badge]"]),
        Fact(
            "phonegap-plugin-push 2346: an alert for an app that the user has quit sets the number, and wakes nothing",
            [front, phone(#""state":"force-quit""#), alert("One", #""badge":1,"content-available":1"#)],
            [inFront, "2 device applied", "3 delivered [banner] [list] [badge] [mark-bell]"]),
        Fact(
            "zo0r 345: a sound without a text is heard, and nothing is seen",
            [front, phone(#""state":"background""#), typed("alert", #""sound":"default""#)],
            [inFront, "2 device applied", "3 silent [sound]"]),
        Fact(
            "ole/SilentPush 1: the system's end of an app does not keep background pushes away, the user's does",
            [
                front, phone(#""state":"terminated""#), background, phone(#""state":"force-quit""#), background,
                event("open"), background,
            ],
            [
                inFront, "2 device applied", "3 silent [wake] [fetch]", "4 device applied", "5 suppressed force-quit",
                "6 open applied [launch]", "7 silent [fetch]",
            ]),
        Fact(
            "OneSignal-iOS-SDK 442: after Deliver Prominently notifications have banner, sound and badge",
            [
                front, phone(#""authorization":"provisional","state":"background""#),
                alert("One", #""sound":"default","badge":1"#), phone(#""authorization":"authorized""#),
                alert("Two", #""sound":"default","badge":2"#),
            ],
            [
                inFront, "2 device applied", "3 delivered [list] [mark-bell]", "4 device applied",
                "5 delivered [banner] [list] [sound] [badge]",
            ]),
        Fact(
            "notifee 840: without the capability a time-sensitive notification does not pass a Focus",
            [
                front, phone(#""levels":[],"state":"background""#), focus,
                alert("One", #""interruption-level":"time-sensitive""#),
            ],
            [inFront, "2 device applied", "3 focus applied", "4 delivered [list] [mark-bell]"]),
        Fact(
            "home-assistant/iOS 737: without the entitlement a critical alert is like any other",
            [
                front, phone(#""levels":[],"state":"background""#), focus,
                alert("One", #""sound":{"critical":1,"name":"default","volume":1}"#),
            ],
            [inFront, "2 device applied", "3 focus applied", "4 delivered [list] [mark-bell]"]),
        Fact(
            "notifee 794: a critical alert is heard with sounds off, any other is not",
            [
                front, phone(#""sounds":false,"state":"background""#),
                alert("One", #""interruption-level":"critical","sound":{"critical":1,"name":"default"}"#),
                alert("Two", #""sound":"default""#),
            ],
            [
                inFront, "2 device applied", "3 delivered [banner] [list] [sound] [mark-bell]",
                "4 delivered [banner] [list]",
            ]),
        Fact(
            "element-ios 3301: a reply on the lock screen starts an app that does not run",
            [
                phone(
                    #""state":"foreground","categories":[{"id":"M","actions":[{"id":"R","text":true},{"id":"S","foreground":true}]}]"#
                ),
                phone(#""state":"terminated","locked":true"#), alert("One", #""category":"M""#),
                event("tap", #""action":"R","text":"ok""#),
            ],
            [
                inFront, "2 device applied", "3 delivered [banner] [list] [mark-bell]",
                #"4 tap applied [wake] [handle-action R "ok"]"#,
            ]),
        Fact(
            "element-x-ios 802: a tap starts an app that does not run, and leads to its list",
            [front, phone(#""state":"terminated""#), alert("One"), event("tap")],
            [
                inFront, "2 device applied", "3 delivered [banner] [list] [mark-bell]",
                "4 tap applied [launch] [show-centre] [clear-bell]",
            ]),
        Fact(
            "gitter 1085: opened by its icon, an app leaves its notifications where they are",
            [front, phone(#""state":"background""#), alert("One"), event("open"), event("dismiss")],
            [
                inFront, "2 device applied", "3 delivered [banner] [list] [mark-bell]",
                "4 open applied [come-to-front]", "5 dismiss applied",
            ]),
        Fact(
            "expo 10699: a handler that asks for the sound alone",
            [phone(#""state":"foreground","will_present":["sound"]"#), alert("One", #""sound":"default""#)],
            [inFront, "2 silent [sound] [mark-bell]"]),
        Fact(
            "react-native-voip-push-notification 102: VoIP pushes come again once the app is installed anew",
            [
                device(#""calls":"unreported""#), call, call, device(#""install":"deleted""#),
                device(#""install":"installed""#), call,
            ],
            [
                "1 device applied", "2 silent", "3 suppressed no-call-reported", "4 device applied",
                "5 device applied", "6 silent",
            ]),
        Fact(
            "cordova-ios-voip-push 19: the system shows nothing of a VoIP push",
            [device(#""state":"foreground""#), device(#""state":"background""#), typed("voip", #""alert":"Call""#)],
            [inFront, "2 device applied", "3 silent [wake] [fetch]"]),
        Fact(
            "PushKitDemo 3: a VoIP push that may not be stored is lost while the phone is offline",
            [
                device(#""online":false"#),
                call.replacing(#""headers":{"#, with: #""headers":{"apns-expiration":"0","#),
                device(#""online":true"#),
            ], ["1 device applied", "2 expired not-stored", "3 device applied"]),
        Fact(
            "flutter_live_activities 164: Live Activities need no permission for notifications",
            [phone(#""authorization":"denied""#), start, update, alert("One")],
            ["1 device applied", "2 started", "3 updated", "4 suppressed denied"]),
        Fact(
            "wmux 1411: a Live Activity is updated after its app was closed",
            [phone(#""state":"force-quit""#), start, update], ["1 device applied", "2 started", "3 updated"]),
        Fact(
            "LoopFollow 625: of two starts for a phone that is offline one arrives",
            [phone(#""online":false"#), start, start, phone(#""online":true"#)],
            ["1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied", "4<3 started"]),
        Fact(
            "LoopFollow 539: after eight hours an update changes nothing, and a new start begins another activity",
            [start, advance("8h1m"), update, start],
            ["1 started", "2 clock applied", "3 suppressed activity-ended", "4 started"]),
        Fact(
            "flutter_live_activities 174: no update brings back what was swiped away, and a start does",
            [start, event("dismiss", #""identifier":"activity-1""#), update, start],
            ["1 started", "2 dismiss applied", "3 suppressed activity-dismissed", "4 started"]),
        Fact(
            "PyAPNs2 50: an alert that expires while the phone is offline never arrives",
            [
                phone(#""online":false"#), alert("One", headers: #""apns-expiration":"1700000045""#), advance("55s"),
                phone(#""online":true"#),
            ],
            ["1 device applied", "2 held", "3 clock applied", "3<2 expired expired", "4 device applied"]),
        Fact(
            "mattermost-mobile 4533: who logs out and is not unregistered still gets notifications",
            [front, phone(#""state":"background""#), alert("One")],
            [inFront, "2 device applied", "3 delivered [banner] [list] [mark-bell]"]),
        Fact(
            "ChatSecure-iOS 770: in Low Power Mode an alert with content-available is shown, and wakes nothing",
            [
                front, phone(#""state":"background","background_refresh":"low-power""#),
                alert("One", #""content-available":1"#), phone(#""background_refresh":"on""#),
                alert("Two", #""content-available":1"#),
            ],
            [
                inFront, "2 device applied", "3 delivered [banner] [list] [mark-bell]", "4 device applied",
                "5 delivered [banner] [list] [wake] [fetch]",
            ]),
        Fact(
            "phonegap-plugin-push 873: whoever opens an app from the lock screen has unlocked the phone",
            [
                pixel(#""state":"background""#), message("One"), pixel(#""locked":"before-first-unlock""#),
                message("Two"), event("open", of: "pixel"),
            ],
            [
                "1 device applied", "2 delivered", "3 device applied", "4 held before-first-unlock",
                "5 open applied [come-to-front]", "5<4 silent [fetch]",
            ]),
        Fact(
            "GrapheneOS 6741: a restart empties the tray of an Android device, and not the list of an iPhone",
            [
                pixel(#""state":"background""#), message("One"),
                pixel(#""state":"terminated","locked":"before-first-unlock""#), event("dismiss", of: "pixel"),
                alert("One"), phone(#""locked":"before-first-unlock""#), event("dismiss"),
            ],
            [
                "1 device applied", "2 delivered", "3 device applied", "4 dismiss ignored no-such-notification",
                "5 delivered", "6 device applied", "7 dismiss applied",
            ]),
        Fact(
            "AOSP: an app that may not show notifications any more has none in the tray",
            [
                pixel(#""state":"background""#), message("One"), pixel(#""alerts":false"#), pixel(#""alerts":true"#),
                event("dismiss", of: "pixel"),
            ],
            [
                "1 device applied", "2 delivered", "3 device applied", "4 device applied",
                "5 dismiss ignored no-such-notification",
            ]),
        Fact(
            "firebase-android-sdk 3601: data reaches an app that was swiped away, and none that was stopped",
            [
                pixel(#""state":"foreground""#), pixel(#""state":"force-quit""#), dataAlone(),
                pixel(#""state":"force-stopped""#), dataAlone(), event("open", of: "pixel"), dataAlone(),
            ],
            [
                inFront, "2 device applied", "3 silent", "4 device applied", "5 suppressed force-stopped",
                "6 open applied [launch]", "7 silent [fetch]",
            ]),
        Fact(
            "tallybook 90: without the permission of Android 13 data arrives, and nothing is shown",
            [
                pixel(#""state":"foreground""#), pixel(#""state":"background","authorization":"denied""#), dataAlone(),
                message("One"), post(#""tag":"own""#),
            ],
            [
                inFront, "2 device applied", "3 silent [wake] [fetch]", "4 suppressed denied", "5 post ignored denied",
            ]),
        Fact(
            "react-native-firebase 7393: without a channel FCM's own has no banner",
            [
                pixel(#""state":"background","channels":[\#(high)]"#), message("One"),
                message("Two", #""channel_id":"c""#),
            ],
            ["1 device applied", "2 delivered [list] [sound] [badge]", "3 delivered [banner] [list] [sound] [badge]"]),
        Fact(
            "webtrit_phone 1287: a channel under a new name is the way to a banner",
            [
                pixel(#""state":"background","channels":[{"id":"old","importance":"default"}]"#),
                message("One", #""channel_id":"old""#), pixel(#""channels":[\#(high)]"#),
                message("Two", #""channel_id":"c""#),
            ],
            [
                "1 device applied", "2 delivered [list] [sound] [badge]", "3 device applied",
                "4 delivered [banner] [list] [sound] [badge]",
            ]),
        Fact(
            "expo 27978: the channel decides about the sound, whatever the message says",
            [
                pixel(#""state":"background","channels":[{"id":"c","importance":"default","sound":false}]"#),
                message("One", #""channel_id":"c","sound":"bells.wav""#),
            ],
            ["1 device applied", "2 delivered [list] [badge]"]),
        Fact(
            "expo 30762: a message of Expo's without a channel has a banner, as Expo's own channel has",
            [
                pixel(
                    #""state":"background","expo":"ExponentPushToken[a]","channels":[{"id":"c","importance":"low"}]"#),
                #"{"to":"ExponentPushToken[a]","title":"One"}"#,
                #"{"to":"ExponentPushToken[a]","title":"Two","channelId":"c"}"#,
            ],
            ["1 device applied", "2 delivered [banner] [list] [sound] [badge]", "3 delivered [list] [badge]"]),
        Fact(
            "notifee 587: an update is heard each time, unless the app lets it alert once",
            [
                pixel(#""state":"background","channels":[\#(high)]"#), post(#""tag":"a","channel":"c""#),
                post(#""tag":"a","channel":"c""#), post(#""tag":"a","channel":"c","alert_once":true"#),
                post(#""tag":"b","channel":"c","alert_once":true"#),
            ],
            [
                "1 device applied", "2 post applied [banner] [list] [sound] [badge]",
                "3 post applied [banner] [list] [sound] [badge]", "4 post applied [list] [badge]",
                "5 post applied [banner] [list] [sound] [badge]",
            ]),
        Fact(
            "sustcast 53: of the notifications for a phone that is offline the last one arrives",
            [pixel(#""state":"background""#), gone, message("One"), message("Two"), pixel(#""online":true"#)],
            [
                "1 device applied", "2 device applied", "3 held", "4 held", "4<3 discarded superseded",
                "5 device applied", "5<4 delivered",
            ]),
        Fact(
            "quickstart-android 100: a time to live of 0 is for a phone that is there now",
            [pixel(#""state":"background""#), gone, dataAlone(#""ttl":"0s""#), pixel(#""online":true"#)],
            ["1 device applied", "2 device applied", "3 expired not-stored", "4 device applied"]),
        Fact(
            "Mercurygram 15: in Doze data of normal priority waits, and may expire meanwhile",
            [
                pixel(#""state":"background""#), pixel(#""doze":true"#), dataAlone(#""ttl":"60s""#), advance("2m"),
                pixel(#""doze":false"#),
            ],
            [
                "1 device applied", "2 device applied", "3 held doze", "4 clock applied", "4<3 expired expired",
                "5 device applied",
            ]),
        Fact(
            "opendht 871: a fifth collapse key costs the first one",
            [pixel(#""state":"background""#), gone] + (1...5).map { dataAlone(#""collapse_key":"k\#($0)""#) }
                + [pixel(#""online":true"#)],
            [
                "1 device applied", "2 device applied", "3 held", "4 held", "5 held", "6 held", "7 held",
                "7<3 discarded too-many-collapse-keys", "8 device applied", "8<4 silent", "8<5 silent", "8<6 silent",
                "8<7 silent",
            ]),
        Fact(
            "autopush 177: a time to live of 0 is for a browser that is there now",
            [
                #"{"event":"device","device":"w","platform":"web","app":"https://example.org","online":false}"#,
                #"{"message":{"token":"w","webpush":{"headers":{"TTL":"0"},"notification":{"title":"One"}}}}"#,
                #"{"event":"device","device":"w","online":true}"#,
            ], ["1 device applied", "2 expired not-stored", "3 device applied"]),
        Fact(
            "team113/messenger 1511: Safari's count begins anew with a new permission",
            [
                #"{"event":"device","device":"w","platform":"web","app":"https://example.org","browser":"safari"}"#
            ] + Array(repeating: #"{"message":{"token":"w","data":{"a":"b"}}}"#, count: 3)
                + [
                    #"{"message":{"token":"w","webpush":{"notification":{"title":"One"}}}}"#,
                    #"{"event":"device","device":"w","authorization":"authorized"}"#,
                    #"{"message":{"token":"w","webpush":{"notification":{"title":"Two"}}}}"#,
                ],
            [
                "1 device applied", "2 silent", "3 silent", "4 silent", "5 suppressed denied", "6 device applied",
                "7 delivered",
            ]),
        Fact(
            "element-android 2626: a read mark for a phone that is offline takes the place of the alert",
            [phone(#""online":false"#), alert("One"), background, phone(#""online":true"#), event("dismiss")],
            [
                "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied", "4<3 silent",
                "5 dismiss ignored no-such-notification",
            ]),
    ]
}
