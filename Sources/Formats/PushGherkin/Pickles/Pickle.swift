/// A scenario as it runs, or one row of an outline: with the steps of its backgrounds first, and with the tags of its
/// rule, feature and examples.
package struct Pickle: Hashable, Sendable {
    package var name: String
    /// The language of its feature.
    package var language: String
    /// Location of its title, or of its examples row.
    package var location: Location
    /// Location of its title.
    package var scenarioLocation: Location
    /// Names of its feature and of its rule, if it has one.
    package var feature: String
    package var rule: String?
    package var tags: [Tag]
    package var steps: [PickleStep]
}

package struct PickleStep: Hashable, Sendable {
    /// As it was written.
    package var keyword: String
    /// Never `.conjunction`: such steps have the type of the step before them.
    package var type: KeywordType
    package var text: String
    package var location: Location
    package var docString: PickleDocString?
    /// The cells of the table, row by row.
    package var table: [[String]]?
    /// True if it comes from a background.
    package var isBackground: Bool
}

package struct PickleDocString: Hashable, Sendable {
    package var mediaType: String?
    package var content: String
    package var location: Location
}
