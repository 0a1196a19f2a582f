import SwiftUI

@main
struct CranesApp: App {
    var body: some Scene {
        WindowGroup { Text("Cranes") }
    }
}
