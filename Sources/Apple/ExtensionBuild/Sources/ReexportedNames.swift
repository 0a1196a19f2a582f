/// Names that Foundation re-exports on Apple's systems, and that are in a module of their own here, because it needs a library.
enum ReexportedNames {
    static func module(of name: String) -> String? {
        if name.hasPrefix("SecKey") { return "Security" }
        // A module of the toolchain, and of no package.
        if name.hasPrefix("XMLParser") { return "FoundationXML" }
        return name.hasPrefix("os_unfair_lock") ? "os" : nil
    }
}
