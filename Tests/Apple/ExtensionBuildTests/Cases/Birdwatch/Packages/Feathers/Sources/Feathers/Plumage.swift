import os

/// What birds wear.
public enum Plumage {
    /// The color of a bird's feathers.
    public static func color(of bird: String) -> String {
        Logger(subsystem: "org.example.birdwatch", category: "plumage").debug("\(bird)")
        return bird == "crane" ? "grey" : "brown"
    }
}
