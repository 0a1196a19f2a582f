/// What birds wear.
public enum Plumage {
    /// The color of a bird's feathers.
    public static func color(of bird: String) -> String { bird == "crane" ? "grey" : "brown" }
}
