/// A scenario as it is run: one row of an outline, with the steps of backgrounds before its own and the tags of all that is around it.
package struct Pickle: Hashable, Sendable {
    package var name: String
    /// The language of its feature.
    package var language: String
    /// Of its title, or of the row of examples that it is made of.
    package var location: Location
    /// Of its title, whatever it is made of.
    package var scenarioLocation: Location
    /// Names of the feature, and of the rule if it stands in one.
    package var feature: String
    package var rule: String?
    package var tags: [Tag]
    package var steps: [PickleStep]
}

package struct PickleStep: Hashable, Sendable {
    /// As it was written.
    package var keyword: String
    /// Never `.conjunction`: such steps are what the step before them is.
    package var type: KeywordType
    package var text: String
    package var location: Location
    package var docString: PickleDocString?
    /// The cells of a table by rows.
    package var table: [[String]]?
    /// Whether it stands in a background.
    package var isBackground: Bool
}

package struct PickleDocString: Hashable, Sendable {
    package var mediaType: String?
    package var content: String
    package var location: Location
}
