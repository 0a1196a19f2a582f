import PushModel
import Testing

struct ArrivalsTests {
    @Test func `a value that comes again is the newest, and those that are removed are gone`() {
        var arrivals = Arrivals<Int>()
        for number in 0..<200 { arrivals.append(number, as: "\(number % 100)") }
        #expect(arrivals.values == Array(100..<200))
        arrivals.remove((0..<90).map(String.init) + ["not there"])
        #expect(arrivals.values == Array(190..<200))
        arrivals.append(7, as: "90")
        #expect(arrivals.values == Array(191..<200) + [7])
        #expect(Set(arrivals.identifiers) == Set((90..<100).map(String.init)))
        arrivals.remove(nil)
        #expect(arrivals.isEmpty && arrivals.values.isEmpty)
    }

    @Test func `it is what a plain list would be, whatever is shown and removed`() {
        var list = Arrivals<String>()
        var plain: [String] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let identifier = "\(UInt8.random(in: 0..<40, using: &random))"
            switch UInt8.random(in: 0..<20, using: &random) {
            case 0:
                #expect(list.remove(nil) == plain)
                plain = []
            case 1..<6:
                let wanted = [identifier, "unknown", identifier, "3"]
                #expect(list.remove(wanted) == plain.filter(wanted.contains))
                plain.removeAll { wanted.contains($0) }
            default:
                #expect(list.append(identifier, as: identifier) == plain.contains(identifier))
                plain.removeAll { $0 == identifier }
                plain.append(identifier)
            }
            #expect(list.values == plain && Set(list.identifiers) == Set(plain))
            #expect(list[identifier] == (plain.contains(identifier) ? identifier : nil))
        }
    }
}
