// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Feathers",
    products: [.library(name: "FeathersLibrary", targets: ["Feathers"])],
    targets: [.target(name: "Feathers")])
