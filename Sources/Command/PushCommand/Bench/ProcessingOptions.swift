/// The options of a command line that say how records are processed.
enum ProcessingOptions {
    /// The words that are neither files nor other options.
    ///
    /// - Parameters:
    ///   - words: the arguments after the name of the subcommand.
    ///   - files: words that are arguments and not options.
    ///   - others: the names of options to leave out, each with a value in the next word, after `=`, or, of a short name, right after it.
    static func words(of words: [String], files: [String], except others: [String]) -> [String] {
        var kept: [String] = []
        var files = files
        var isValue = false
        for word in words where word != "--" {
            if isValue {
                isValue = false
            } else if let index = files.firstIndex(of: word) {
                files.remove(at: index)
            } else if others.contains(word) {
                isValue = true
            } else if !others.contains(where: { word.hasPrefix($0.hasPrefix("--") ? $0 + "=" : $0) }) {
                kept.append(word)
            }
        }
        return kept
    }
}
