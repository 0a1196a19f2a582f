#if os(Linux)
    import Testing

    @testable import ExtensionHosting

    struct ArrivalsTests {
        @Test func `a value that comes again is the newest, and those that are removed are gone`() {
            var arrivals = Arrivals<Int>()
            for number in 0..<200 { arrivals.append(number, as: "\(number % 100)") }
            #expect(arrivals.values == Array(100..<200))
            for number in 0..<90 { arrivals.remove("\(number)") }
            arrivals.remove("not there")
            #expect(arrivals.values == Array(190..<200))
            arrivals.append(7, as: "90")
            #expect(arrivals.values == Array(191..<200) + [7])
            #expect(Set(arrivals.identifiers) == Set((90..<100).map(String.init)))
            arrivals.removeAll()
            #expect(arrivals.isEmpty && arrivals.values.isEmpty)
        }
    }
#endif
