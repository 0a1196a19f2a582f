/// The attributes that expose a class to Objective-C: `@objc`, `@objc(Name)`, `@objcMembers`. Without Objective-C the compiler rejects
/// them, and the code works without them.
enum ObjectiveCAttributes {
    private static let names: Set<String> = ["objc", "objcMembers"]

    /// The source with spaces in place of the attributes, so that lines and columns stay the same; nil if there are none.
    static func blanked(_ source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        let tokens = read.tokens
        let places = read.places
        var result = source
        var isFound = false
        for index in tokens.indices.dropLast() where tokens[index] == .mark(UInt8(ascii: "@")) {
            guard case .word(let name) = tokens[index + 1], names.contains(name) else { continue }
            let last = name == "objc" ? end(of: index + 1, tokens) : index + 1
            for place in places[index].lowerBound..<places[last].upperBound where result[place] > UInt8(ascii: " ") {
                result[place] = UInt8(ascii: " ")
            }
            isFound = true
        }
        return isFound ? result : nil
    }

    /// The last token of an attribute: its name, or the bracket after `Name` or `a:b:`.
    private static func end(of name: Int, _ tokens: [SwiftTokens.Token]) -> Int {
        guard name + 1 < tokens.count, tokens[name + 1] == .mark(UInt8(ascii: "(")) else { return name }
        for index in tokens.indices[(name + 2)...] {
            switch tokens[index] {
            case .word, .mark(UInt8(ascii: ":")): continue
            case .mark(UInt8(ascii: ")")): return index
            default: return name
            }
        }
        return name
    }
}
