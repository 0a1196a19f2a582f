#if os(Linux)
    import Foundation
    import Testing
    @testable import UserNotifications

    /// `NSPredicate(format:)`: expectations from Apple's Predicate Programming Guide and the documentation of NSPredicate.
    struct PredicateTests {
        private static var person: [String: Any] {
            [
                "name": "Zoë", "age": 41, "height": 1.75, "isAdmin": true, "nickname": NSNull(), "tags": ["a", "b"],
                "empty": [String](), "address": ["city": "Oslo", "zip": "0150"], "scores": [3, 9, 6],
                "born": Date(timeIntervalSince1970: 1000), "url": URL(string: "https://example.org/a/b.png") as Any,
                "orders": [["price": 10, "item": "pen"], ["price": 30, "item": "ink"]], "text": "a\nb",
            ]
        }

        @Test(
            arguments: [
                // Comparisons and their spellings.
                "age = 41", "age == 41", "age != 40", "age <> 40", "age < 42", "age <= 41", "age =< 41", "age > 40",
                "age >= 41", "age => 41", "age BETWEEN {40, 42}", "age between {41, 41}", "height > 1.7",
                "isAdmin == YES",
                "isAdmin == true", "isAdmin != NO", "age == 0x29", "age == 41.0", "age > -1", "height < 1.8e0",
                "41 == age",
                // Compound predicates and their precedence.
                "age == 41 AND name == 'Zoë'", "age == 41 && name == 'Zoë'", "age == 1 OR name == 'Zoë'",
                "age == 1 || name == 'Zoë'", "NOT age == 1", "!(age == 1)", "not (age == 1 and name == 'Zoë')",
                "age == 41 OR age == 1 AND age == 2", "TRUEPREDICATE", "NOT FALSEPREDICATE", "((age == 41))",
                "((age)) == (41)", "(age + 1) > 41", "(age) > 40 AND (age) < 50",
                // Texts.
                "name BEGINSWITH 'Z'", "name beginswith[c] 'z'", "name ENDSWITH 'ë'", "name ENDSWITH[d] 'e'",
                "name CONTAINS 'o'", "name contains[cd] 'OE'", "name ==[cd] 'zoe'", "name LIKE 'Z?ë'", "name LIKE 'Z*'",
                "name like[cd] '*OE'", "name MATCHES 'Z.+'", "name MATCHES[c] 'z.ë'", "NOT name MATCHES 'Z'",
                "name IN {'Zoë', 'Ada'}", "'o' IN name", "name < 'Zz'", #"name == "Zoë""#, "NOT name CONTAINS 'q'",
                #"address.zip MATCHES '\\d{4}'"#, "text MATCHES 'a\\nb'", "name.length == 3",
                // Collections.
                "tags CONTAINS 'a'", "'b' IN tags", "NOT 'c' IN tags", "ANY tags == 'a'", "SOME tags == 'b'",
                "ALL tags IN {'a', 'b', 'c'}", "NONE tags == 'c'", "ALL empty == 'x'", "NOT (ANY empty == 'x')",
                "tags.@count == 2", "tags[0] == 'a'", "tags[LAST] == 'b'", "tags[FIRST] == 'a'", "tags[SIZE] == 2",
                "scores.@max.self == 9", "scores.@sum.self == 18", "orders.@max.price == 30", "orders.@avg.price == 20",
                "ANY orders.price > 20", "ALL orders.price >= 10", "NONE orders.item == 'cup'",
                "orders.price.@sum == 40",
                "SUBQUERY(orders, $o, $o.price > 15 AND $o.item == 'ink').@count == 1", "max:(scores) == 9",
                "orders[0].item == 'pen'", "count:(tags) == 2", "address['city'] == 'Oslo'", "sum:(scores) == 18",
                // Nothing.
                "missing == nil", "missing == NULL", "nickname == nil", "name != nil", "missing.deep == nil",
                "NOT missing > 3", "NOT missing CONTAINS 'a'", "NOT missing BEGINSWITH 'a'", "NOT ANY missing == 1",
                // Arithmetic.
                "age + 1 == 42", "age - 1 == 40", "age * 2 == 82", "age / 2 == 20", "2 ** 3 == 8", "1 + 2 * 3 == 7",
                "(1 + 2) * 3 == 9", "age / 2.0 == 20.5", "9223372036854775807 + 1 > 9e18",
                // Paths and functions.
                "address.city == 'Oslo'", "SELF.age == 41", "self.age == 41", "uppercase:('ab') == 'AB'",
                "url.host == 'example.org'", "url.pathExtension == 'png'", "born.timeIntervalSince1970 == 1000",
                "born < now()", "length:(name) == 3", "abs:(-3) == 3",
            ])
        func `a true predicate holds`(_ format: String) {
            #expect(NSPredicate(format: format).evaluate(with: Self.person), "\(format)")
            #expect(!NSPredicate(format: "NOT (\(format))").evaluate(with: Self.person), "\(format)")
        }

        @Test func `arguments fill their places in order`() {
            let person = Self.person
            func holds(_ predicate: NSPredicate) -> Bool { predicate.evaluate(with: person) }
            #expect(holds(NSPredicate(format: "name == %@", "Zoë")))
            #expect(holds(NSPredicate(format: "%K == %@", "name", "Zoë")))
            #expect(holds(NSPredicate(format: "%K == %@ AND age == %d", "address.city", "Oslo", 41)))
            #expect(holds(NSPredicate(format: "age == %ld AND height > %f", 41, 1.7)))
            #expect(holds(NSPredicate(format: "age BETWEEN %@", [40, 42])))
            #expect(holds(NSPredicate(format: "name IN %@", ["Zoë", "Ada"])))
            #expect(holds(NSPredicate(format: "name IN %@", Set(["Zoë"]))))
            #expect(holds(NSPredicate(format: "isAdmin == %@", NSNumber(value: true))))
            #expect(holds(NSPredicate(format: "born == %@", Date(timeIntervalSince1970: 1000) as any CVarArg)))
            #expect(holds(NSPredicate(format: "born >= %@", Date(timeIntervalSince1970: 999) as NSDate)))
            #expect(holds(NSPredicate(format: "%K.%K == 'Oslo'", "address", "city")))
            #expect(holds(NSPredicate(format: "name == %@ OR %K == %d", argumentArray: ["x", "age", 41])))
            // A place in quotation marks is text.
            #expect(!holds(NSPredicate(format: "name == '%@'", "Zoë")))
            #expect(NSPredicate(format: "SELF == '%@'").evaluate(with: "%@"))
        }

        @Test func `arrays and sets are filtered`() {
            let people: [[String: Any]] = [["n": "Ada", "a": 36], ["n": "Bob", "a": 17], ["n": "adam", "a": 50]]
            let adults = (people as NSArray).filtered(using: NSPredicate(format: "a >= 18 AND n BEGINSWITH[c] 'ad'"))
            #expect(adults.compactMap { ($0 as? [String: Any])?["n"] as? String } == ["Ada", "adam"])
            let words = (["ab", "b", "abc"] as NSArray).filtered(using: NSPredicate(format: "SELF CONTAINS 'ab'"))
            #expect(words as? [String] == ["ab", "abc"])
            let mutable = NSMutableArray(array: [1, 2, 3, 4])
            mutable.filter(using: NSPredicate(format: "SELF > %d", 2))
            #expect(mutable as? [Int] == [3, 4])
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "SELF > 1"), NSPredicate(format: "SELF < 3"),
            ])
            #expect(([1, 2, 3] as NSArray).filtered(using: both) as? [Int] == [2])
        }

        private final class Room: NSObject {
            let identifier = "r1"
            var unread: Int? = 4
            let topic: String? = nil
            let members = ["ada", "bob"]
        }

        @Test func `stored properties of objects and those of notifications have keys`() {
            let room = Room()
            #expect(NSPredicate(format: "identifier == 'r1' AND unread > 3 AND topic == nil").evaluate(with: room))
            #expect(NSPredicate(format: "ANY members == 'bob'").evaluate(with: room))
            let content = UNMutableNotificationContent()
            content.title = "Hi"
            content.userInfo = ["id": 7]
            content.threadIdentifier = "room"
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
            for format in [
                "identifier == 'a'", "content.userInfo.id == 7", "content.threadIdentifier == 'room'",
                "content.badge == nil", "trigger == nil", "content.attachments.@count == 0",
            ] {
                #expect(NSPredicate(format: format).evaluate(with: request), "\(format)")
            }
        }

        @Test(arguments: [
            ("", "a value is expected, at character 1"), ("age", "a comparison is expected, at character 4"),
            ("age ==", "a value is expected, at character 7"), ("age == 1 AND", "a value is expected, at character 13"),
            ("age = 'x", "a text has no closing quotation mark"), ("(age == 1", ") is expected, at character 10"),
            ("age == 1 name == 2", "AND, OR or the end is expected, at character 10"),
            ("size > 3", "size is reserved; #size is the name of a key, at character 1"),
            ("age == %@", "there are 0 arguments, too few, at character 10"), ("age == %", "% begins no argument"),
            ("name LIKE[x] 'a'", "[x] is not an option; there are c, d, n and l, at character 11"),
            ("{1, 2", "} is expected, at character 6"), ("age ~ 3", "unexpected ~"),
            ("(age == 1) + 2 == 3", "a value is expected before this, at character 14"),
            ("foo:(1) == 2", "there is no function foo here, at character 1"),
        ])
        func `a wrong format is described`(_ format: String, _ reason: String) {
            let failure = #expect(throws: PredicateFailure.self) { try PredicateParser.parse(format, []) }
            #expect(failure?.reason == reason)
        }

        @Test func `what holds itself is limited, and long lists are not`() throws {
            let levels = PredicateParser.mostLevels - 1
            func parse(_ format: String) throws { _ = try PredicateParser.parse(format, []) }
            try parse(String(repeating: "(", count: levels) + "a == 1" + String(repeating: ")", count: levels))
            for format in [
                String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000),
                "a == " + String(repeating: "-", count: 100_000) + "1",
                "a == " + String(repeating: "{", count: 100_000),
                "a == 1" + String(repeating: "+ 1", count: 100_000), "a" + String(repeating: "[0]", count: 100_000),
            ] {
                #expect(throws: PredicateFailure.self) { try parse(format) }
            }
            let long = String(repeating: "a == 1 OR ", count: 10_000) + "a == 2"
            #expect(NSPredicate(format: long).evaluate(with: ["a": 2]))
        }

        @Test func `any pieces give an answer or a reason`() {
            let pieces = [
                "age", "name", "tags", "orders.price", "SELF", "==", "<", "BETWEEN", "IN", "CONTAINS[cd]", "LIKE",
                "AND", "OR", "NOT",
                "ANY", "ALL", "(", ")", "{", "}", ",", "[", "]", "%@", "%K", "%d", "1", "-", "+", "/", "0", "**", "'x'",
                "nil",
                "@count", ".", "SUBQUERY", "$x", "max:", "abs:", "FIRST", "SIZE", "9223372036854775807", "1e999",
                "TRUEPREDICATE",
            ]
            var state: UInt64 = 7
            func next(_ limit: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int((state >> 33) % UInt64(limit))
            }
            var answers = 0
            for _ in 0..<3000 {
                let format = (0...next(8)).map { _ in pieces[next(pieces.count)] }.joined(separator: " ")
                if (try? PredicateFormat.holds(format, ["age", 41, "Oslo"], for: Self.person)) != nil { answers += 1 }
            }
            #expect(answers > 0)
        }

        @Test func `a form with many stars takes no time`() {
            let text = String(repeating: "a", count: 2000)
            let pattern = String(repeating: "a*", count: 20) + "b"
            #expect(!PredicateTest.isLike(text, pattern))
            #expect(PredicateTest.isLike("a*c", "a\\*c") && !PredicateTest.isLike("abc", "a\\*c"))
        }

        @Test(arguments: [
            ("age CONTAINS 1", "Can't use in/contains operator with collection 41 (not a collection)"),
            ("name CONTAINS 1", "Can't look for value (1) in string (Zoë); value is not a string"),
            ("name > 3", "Can't compare Zoë with 3"),
            ("ANY age == 3", "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet."),
            ("$x == 3", "Can't get value for 'x' in bindings."),
            ("age LIKE 'a'", "Can't do regex matching on object 41."),
            (
                "name.foo == 1",
                "[<NSString> valueForUndefinedKey:]: this class is not key value coding-compliant for the key foo."
            ),
        ])
        func `what cannot be compared is described`(_ format: String, _ reason: String) throws {
            let node = try PredicateParser.parse(format, [])
            let failure = #expect(throws: PredicateFailure.self) {
                try PredicateEvaluation(object: Self.person).holds(node)
            }
            #expect(failure?.reason == reason)
        }

        @Test func `variables have the values given`() {
            let predicate = NSPredicate(format: "age > $least")
            #expect(predicate.evaluate(with: Self.person, substitutionVariables: ["least": 40]))
            #expect(!predicate.evaluate(with: Self.person, substitutionVariables: ["least": 41]))
        }

        @Test func `a format that cannot be read ends the process and says why`() async throws {
            let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
                _ = NSPredicate(format: "age ==")
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("NSInvalidArgumentException"), "\(text)")
            #expect(text.contains(#"Unable to parse the format string "age ==""#), "\(text)")
        }
    }
#endif
