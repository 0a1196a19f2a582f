import CJansson

extension JSONTree {
    /// The version of jansson that this build was compiled with, such as `2.14`.
    package static var libraryVersion: String { JANSSON_VERSION }
}
