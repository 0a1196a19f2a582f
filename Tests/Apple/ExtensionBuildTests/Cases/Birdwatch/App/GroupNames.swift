/// A file of the app that the extension has too.
enum GroupNames {
    static let sightings = "group.org.example.birdwatch"
}
