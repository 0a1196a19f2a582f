#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    /// In turn, because the clock is one for the process.
    @Suite(.serialized)
    final class TriggerTests {
        /// 14 November 2023, 22:13:20 UTC.
        private let date = Date(timeIntervalSince1970: 1_700_000_000)

        init() async {
            // Harnesses of other tests set the clock too.
            await UNUserNotificationCenter.beginHosting(nil)
            let date = date
            UNNotificationTrigger.now = { date }
        }

        deinit {
            UNNotificationTrigger.now = { Date() }
            UNUserNotificationCenter.endHosting()
        }

        private func utc(_ components: DateComponents) -> DateComponents {
            var components = components
            components.calendar = Calendar(identifier: .gregorian)
            components.timeZone = TimeZone(identifier: "UTC")
            return components
        }

        @Test func `an interval counts from the clock`() {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true)
            #expect(trigger.nextTriggerDate() == date.addingTimeInterval(90))
            #expect(trigger.repeats && trigger.timeInterval == 90)
        }

        @Test func `an interval of nothing ends the process, as does a short one that repeats`() async {
            await #expect(processExitsWith: .failure) {
                _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
            }
            await #expect(processExitsWith: .failure) {
                _ = UNTimeIntervalNotificationTrigger(timeInterval: 59, repeats: true)
            }
        }

        @Test func `an hour alone is the next such hour`() {
            let today = UNCalendarNotificationTrigger(dateMatching: utc(DateComponents(hour: 23)), repeats: false)
            let tomorrow = UNCalendarNotificationTrigger(dateMatching: utc(DateComponents(hour: 22)), repeats: true)
            #expect(today.nextTriggerDate() == Date(timeIntervalSince1970: 1_700_002_800))
            #expect(tomorrow.nextTriggerDate() == Date(timeIntervalSince1970: 1_700_002_800 + 23 * 3600))
        }

        @Test func `a date that is over never comes`() {
            let past = utc(DateComponents(year: 2020, month: 1, day: 1))
            #expect(UNCalendarNotificationTrigger(dateMatching: past, repeats: false).nextTriggerDate() == nil)
        }

        @Test func `triggers are equal by class and value`() {
            let interval = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
            #expect(interval == UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false))
            #expect(interval != UNTimeIntervalNotificationTrigger(timeInterval: 6, repeats: false))
            #expect(UNPushNotificationTrigger() == UNPushNotificationTrigger())
            #expect(UNPushNotificationTrigger() as UNNotificationTrigger != interval)
            #expect(!UNPushNotificationTrigger().repeats)
            let hour = DateComponents(hour: 1)
            #expect(
                UNCalendarNotificationTrigger(dateMatching: hour, repeats: true)
                    != UNCalendarNotificationTrigger(dateMatching: hour, repeats: false))
        }
    }
#endif
