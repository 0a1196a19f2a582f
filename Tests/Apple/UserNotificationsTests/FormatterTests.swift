#if os(Linux)
    import Foundation
    import Testing

    @testable import UserNotifications

    /// Formatters that Foundation for Linux does not have. The texts are those of CLDR.
    struct FormatterTests {
        @Test(arguments: [
            ("en_US", -7200.0, "2 hours ago"), ("en_US", 60.0, "in 1 minute"), ("en_US", -90.0, "1 minute ago"),
            ("de_DE", -7200.0, "vor 2 Stunden"), ("en_US", -8.0 * 86400, "1 week ago"), ("en_US", 0.0, "in 0 seconds"),
        ])
        func `a time is told in relation to now`(locale: String, interval: Double, text: String) {
            let formatter = RelativeDateTimeFormatter()
            formatter.locale = Locale(identifier: locale)
            #expect(formatter.localizedString(fromTimeInterval: interval) == text)
        }

        @Test func `a day has a name or a number`() {
            let formatter = RelativeDateTimeFormatter()
            formatter.locale = Locale(identifier: "en_US")
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            #expect(formatter.localizedString(for: date - 86400, relativeTo: date) == "1 day ago")
            formatter.dateTimeStyle = .named
            #expect(formatter.localizedString(for: date - 86400, relativeTo: date) == "yesterday")
            formatter.unitsStyle = .short
            #expect(formatter.localizedString(from: DateComponents(month: -2)) == "2 mo. ago")
            #expect(formatter.localizedString(fromTimeInterval: .nan).isEmpty == false)
        }

        @Test(arguments: [
            (DurationFormatter.UnitsStyle.positional, "1:05:00"), (.abbreviated, "1h 5m"), (.short, "1 hr, 5 min"),
            (.full, "1 hour, 5 minutes"),
        ])
        func `a duration has the units that are allowed and not 0`(style: DurationFormatter.UnitsStyle, text: String) {
            let formatter = DurationFormatter()
            formatter.calendar?.locale = Locale(identifier: "en_US")
            formatter.unitsStyle = style
            #expect(formatter.string(from: 3900) == text)
            #expect(formatter.string(from: -3900) == "-" + text)
            #expect(formatter.string(from: DateComponents(hour: 1, minute: 5)) == text)
            #expect(formatter.string(from: .infinity) == nil)
            formatter.allowedUnits = []
            #expect(formatter.string(from: 3900) == nil)
        }

        @Test func `a positional duration is padded, and cut`() {
            let formatter = DurationFormatter()
            formatter.allowedUnits = [.minute, .second]
            #expect(formatter.string(from: 5) == "0:05")
            formatter.zeroFormattingBehavior = .pad
            #expect(formatter.string(from: 5) == "00:05")
            formatter.maximumUnitCount = 1
            #expect(formatter.string(from: 65) == "01")
        }

        @Test func `texts are joined to a list`() {
            let formatter = ListFormatter()
            formatter.locale = Locale(identifier: "en_US")
            #expect(formatter.string(from: ["a", "b", "c"]) == "a, b, and c")
            formatter.locale = Locale(identifier: "de_DE")
            #expect(formatter.string(from: [1, 2]) == "1 und 2")
        }

        private enum Failure: LocalizedError, CustomNSError {
            case code
            var errorDescription: String? { "no key" }
        }

        @Test func `an error with a code of its own keeps its text`() {
            #expect(LocalizedDescription.of(Failure.code) == "no key")
        }

        @Test func `a process asks for its memory`() {
            var info = task_vm_info_data_t()
            var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size) / 4
            func ask(_ flavor: Int32) -> kern_return_t {
                withUnsafeMutablePointer(to: &info) { place in
                    place.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                        task_info(mach_task_self_, task_flavor_t(flavor), $0, &count)
                    }
                }
            }
            #expect(ask(TASK_VM_INFO) == KERN_SUCCESS)
            #expect(info.phys_footprint > 0 && info.phys_footprint <= info.resident_size)
            #expect(ask(99) == KERN_INVALID_ARGUMENT)
            count = 1
            #expect(ask(TASK_VM_INFO) == KERN_INVALID_ARGUMENT)
        }

        @Test(arguments: [
            (PersonNameFormatter.Style.default, "Ada Lovelace"), (.short, "Ada"), (.medium, "Ada Lovelace"),
            (.long, "Ada King Lovelace"), (.abbreviated, "AL"),
        ])
        func `a name is written in its style`(style: PersonNameFormatter.Style, expected: String) throws {
            let name = try PersonNameComponents("Ada King Lovelace")
            #expect(name.givenName == "Ada" && name.middleName == "King" && name.familyName == "Lovelace")
            #expect(PersonNameFormatter.localizedString(from: name, style: style) == expected)
        }

        @Test func `a text without words is no name`() {
            #expect(throws: CocoaError.self) { try PersonNameComponents("  ") }
            #expect(PersonNameFormatter().personNameComponents(from: "") == nil)
        }

        @Test func `Core Foundation transforms texts and makes identifiers`() {
            let text = NSMutableString(string: "Привет")
            #expect(CFStringTransform(text, nil, kCFStringTransformToLatin, false))
            #expect(text as String == "Privet")
            let accents = NSMutableString(string: "Zoë")
            #expect(CFStringTransform(accents, nil, kCFStringTransformStripDiacritics, false))
            #expect(accents as String == "Zoe")
            #expect(!CFStringTransform(accents, nil, "No-Such", false))
            #expect(UUID(uuidString: CFUUIDCreateString(kCFAllocatorDefault, CFUUIDCreate(nil)) as String) != nil)
        }
    }
#endif
