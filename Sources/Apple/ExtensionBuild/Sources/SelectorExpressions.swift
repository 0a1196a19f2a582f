/// `#selector(method)`, which needs Objective-C. UserNotifications has a `Selector` that holds the method itself.
enum SelectorExpressions {
    /// The source with `Selector (method)`, which has the same length; nil if there is none.
    ///
    /// That of a property's getter or setter stays: such a function cannot be named in Swift.
    static func replaced(in source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        let tokens = read.tokens
        var result: [UInt8]?
        for index in tokens.indices.dropLast(3)
        where tokens[index] == .mark(UInt8(ascii: "#")) && tokens[index + 1] == .word("selector")
            && tokens[index + 2] == .mark(UInt8(ascii: "("))
        {
            if [.word("getter"), .word("setter")].contains(tokens[index + 3]) { continue }
            let place = read.places[index].lowerBound..<read.places[index + 1].upperBound
            guard place.count == "#selector".utf8.count else { continue }
            result = result ?? source
            result?.replaceSubrange(place, with: "Selector ".utf8)
        }
        return result
    }
}
