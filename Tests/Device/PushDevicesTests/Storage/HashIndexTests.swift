import PushJSON
import TestSupport
import Testing

@testable import PushDevices

struct HashIndexTests {
    @Test func `an empty index finds nothing and asks about nothing`() {
        let index = HashIndex()
        var asked = 0
        for hash: UInt32 in [0, 1, 15, 16, .max] {
            let found = index.find(hash) { _ in
                asked += 1
                return true
            }
            #expect(found == nil)
        }
        #expect(asked == 0)
        #expect(index.count == 0)
    }

    @Test func `an index that forgot its entries finds none of them, and others as before`() {
        var index = HashIndex()
        for position: UInt32 in 0..<1000 { index.insert(position &* 0x9E37_79B9, position) }
        let size = index.entries.count
        index.removeAll()
        #expect(index.count == 0)
        #expect(index.entries.count == size)
        for position: UInt32 in 0..<1000 {
            #expect(index.find(position &* 0x9E37_79B9) { _ in true } == nil)
            index.insert(position, position)
        }
        for position: UInt32 in 0..<1000 { #expect(index.find(position) { $0 == position } == position) }
    }

    @Test func `position 0 and hash 0 are an entry like any other`() {
        var index = HashIndex()
        index.insert(0, 0)
        #expect(index.count == 1)
        #expect(index.find(0) { $0 == 0 } == 0)
        index.remove(0, 0)
        #expect(index.count == 0)
        #expect(index.find(0) { _ in true } == nil)
    }

    @Test func `a replaced position is found by its hash, and the one before it is not`() {
        var replaced = HashIndex()
        var removed = HashIndex()
        // Half of the hashes share a slot with others.
        let hashes = (0..<200 as Range<UInt32>).map { $0.isMultiple(of: 2) ? $0 << 8 : $0 &* 0x9E37_79B9 }
        for (position, hash) in hashes.enumerated() {
            replaced.insert(hash, UInt32(position))
            removed.insert(hash, UInt32(position))
        }
        for (position, hash) in hashes.enumerated() where position.isMultiple(of: 3) {
            replaced.replace(hash, UInt32(position), with: UInt32(position + 1000))
            removed.remove(hash, UInt32(position))
            removed.insert(hash, UInt32(position + 1000))
        }
        replaced.replace(7, 7777, with: 8888)
        #expect(replaced.count == removed.count)
        for (position, hash) in hashes.enumerated() {
            for candidate in [UInt32(position), UInt32(position + 1000)] {
                let found = replaced.find(hash) { $0 == candidate }
                let expected = removed.find(hash) { $0 == candidate }
                #expect(found == expected)
            }
        }
        #expect(replaced.find(7) { $0 == 8888 } == nil)
    }

    @Test func `only positions with the whole hash are candidates`() {
        var index = HashIndex()
        // All of them have the same first slot in a table of 16.
        let hashes: [UInt32] = [0x0000_0005, 0x0000_0015, 0x8000_0005, 0xFFFF_FFF5]
        for (position, hash) in hashes.enumerated() { index.insert(hash, UInt32(position)) }
        for (position, hash) in hashes.enumerated() {
            var candidates: [UInt32] = []
            let found = index.find(hash) { candidate in
                candidates.append(candidate)
                return false
            }
            #expect(found == nil)
            #expect(candidates == [UInt32(position)])
        }
    }

    @Test func `removing what is not there changes nothing`() {
        var index = HashIndex()
        index.insert(7, 1)
        index.remove(7, 2)
        index.remove(8, 1)
        index.remove(23, 1)
        #expect(index.count == 1)
        #expect(index.find(7) { $0 == 1 } == 1)
    }

    @Test func `entries that wrapped around the end are found after the ones before them go`() {
        // Hashes 14 and 15 have the last slots of a table of 16; the entries after them wrap around to slot 0.
        let entries: [(hash: UInt32, position: UInt32)] = [(14, 1), (15, 2), (14, 3), (15, 4), (0, 5), (1, 6), (30, 7)]
        for removed in entries.indices {
            var index = HashIndex()
            for entry in entries { index.insert(entry.hash, entry.position) }
            index.remove(entries[removed].hash, entries[removed].position)
            for (place, entry) in entries.enumerated() {
                let found = index.find(entry.hash) { $0 == entry.position }
                #expect(found == (place == removed ? nil : entry.position), "without entry \(removed): entry \(place)")
            }
        }
    }

    /// Few different hashes, so that equal ones, long runs, and runs that wrap around are common.
    @Test(arguments: [
        HashChoice(name: "one hash", hashes: [9], live: 40, seed: 1),
        HashChoice(name: "one hash at the end", hashes: [0xFFFF_FFFF], live: 40, seed: 2),
        HashChoice(
            name: "around the end", hashes: [14, 15, 30, 31, 0, 16, 0xFFFF_FFFE, 0xFFFF_FFFF], live: 11, seed: 3),
        HashChoice(name: "few hashes", hashes: (0..<12).map { $0 * 0x1111_1111 }, live: 200, seed: 4),
        HashChoice(name: "many hashes", hashes: (0..<5000).map { $0 &* 0x9E37_79B1 }, live: 3000, seed: 5),
    ])
    func `holds what a dictionary holds, whatever is put in and taken out`(_ choice: HashChoice) {
        var generator = SeededGenerator(seed: choice.seed)
        var index = HashIndex()
        var model: [UInt32: Set<UInt32>] = [:]
        var entries: [(hash: UInt32, position: UInt32)] = []
        var nextPosition: UInt32 = 0
        for step in 0..<Effort.rounds(20_000, fast: 3000) {
            let hash = generator.pick(choice.hashes)
            if entries.count < choice.live, generator.below(2) == 0 {
                index.insert(hash, nextPosition)
                model[hash, default: []].insert(nextPosition)
                entries.append((hash, nextPosition))
                nextPosition += 1
            } else if !entries.isEmpty, generator.below(3) > 0 {
                let place = generator.below(entries.count)
                let gone = entries[place]
                entries[place] = entries[entries.count - 1]
                entries.removeLast()
                index.remove(gone.hash, gone.position)
                model[gone.hash]?.remove(gone.position)
            }
            let expected = model[hash, default: []].sorted()
            guard index.count == entries.count, candidates(of: hash, in: index) == expected else {
                Issue.record("\(choice): step \(step): differs for hash \(hash)")
                return
            }
        }
        for hash in choice.hashes { #expect(candidates(of: hash, in: index) == model[hash, default: []].sorted()) }
        for entry in entries { #expect(index.find(entry.hash) { $0 == entry.position } == entry.position) }
    }

    private func candidates(of hash: UInt32, in index: borrowing HashIndex) -> [UInt32] {
        var found: [UInt32] = []
        _ = index.find(hash) { position in
            found.append(position)
            return false
        }
        return found.sorted()
    }
}

struct HashChoice: CustomTestStringConvertible, CustomStringConvertible {
    var name: String
    var hashes: [UInt32]
    /// The most entries at a time.
    var live: Int
    var seed: UInt64

    var description: String { "\(name), seed \(seed)" }
    var testDescription: String { description }
}
