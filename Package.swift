// swift-tools-version: 6.2
import PackageDescription

/// `PUSHPIPE_STRICT=1` turns warnings into errors. CI sets it; a user's build with a newer compiler must not fail on a new warning.
let isStrict = Context.environment["PUSHPIPE_STRICT"] == "1"

/// `PUSHPIPE_BENCHMARKS=1` adds the benchmarks. Behind a variable, because whoever uses the library, or only builds the
/// command, should not fetch and build the benchmark package and what it depends on.
let hasBenchmarks = Context.environment["PUSHPIPE_BENCHMARKS"] == "1"

/// `PUSHPIPE_FUZZ=1` adds the fuzzer, and compiles everything for it: with libFuzzer's counters and under AddressSanitizer.
let hasFuzzer = Context.environment["PUSHPIPE_FUZZ"] == "1"
let fuzzedC: [CSetting] = hasFuzzer ? [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])] : []

let package = Package(
    name: "pushpipe",
    platforms: [.macOS(.v15)],
    products: [
        // With the modules whose types its API uses.
        .library(
            name: "PushPipeline",
            targets: [
                "PushPipeline", "AppSimulation", "DeviceRegistry", "DeviceScreens", "ExtensionHost",
                "NotificationStore",
                "PayloadJSON", "PushDecoding", "PushModel", "RecordFraming",
            ]),
        // GherkinRunner has the types of steps and results.
        .library(name: "PushScenarios", targets: ["PushScenarios", "GherkinRunner"]),
        // With the modules whose types its API uses.
        .library(name: "PushLint", targets: ["PushLint", "PushDecoding", "PushModel", "RecordFraming"]),
        // Apart from PushLint, because only who reads a .pushpipe.yml should build LibYAML.
        .library(name: "PushLintConfiguration", targets: ["PushLintConfiguration"]),
        .executable(name: "pushpipe", targets: ["pushpipe"]),
    ],
    dependencies: [
        // SQLite store: migrations, WAL set-up and typed errors. Maintained since 2015, MIT.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Arguments, help, shell completion and the man page of the command. Apple, Apache-2.0.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Reads the linter's configuration: YAML is what projects keep such files in, and a mistake in one has to be told by its
        // line. LibYAML in Swift, the parser of SwiftLint, maintained since 2016, MIT. Only `YAMLText` imports it.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CJansson",
            pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]
        ),
        // SSE2, AVX2 and NEON for the scanner's first pass, in C: Swift has no portable way to make bits of a comparison of bytes.
        .target(name: "CBlockScan", cSettings: fuzzedC),
        .target(name: "PayloadJSON", dependencies: ["CJansson", "CBlockScan"]),
        // Tables and text heaps that hold millions of small values. Bottom of the device's side; knows nothing of pushes.
        .target(name: "CompactStorage"),
        // Words and fact tables only: provider, push type, budget, rejection, finding, outcome, message.
        .target(name: "PushModel", dependencies: ["PayloadJSON"]),
        // Records to messages, and what providers refuse.
        .target(name: "PushDecoding", dependencies: ["CBlockScan", "PayloadJSON", "PushModel"]),
        // Splits a stream of bytes into records. Below the linter and the pipeline, which both begin with it.
        .target(name: "RecordFraming", dependencies: ["PayloadJSON", "PushDecoding", "PushModel"]),
        // Text for a terminal: escaping, columns, colors, source lines with a mark. Only the package uses it.
        .target(name: "TerminalStyle", dependencies: ["PayloadJSON", "PushModel"]),
        .target(
            name: "PushLint",
            dependencies: ["PayloadJSON", "PushDecoding", "PushModel", "RecordFraming", "TerminalStyle"]),
        // The only importer of Yams: reads YAML that people write, and reports mistakes by line.
        .target(name: "YAMLText", dependencies: ["TerminalStyle", .product(name: "Yams", package: "Yams")]),
        // Not a part of PushLint: PushPipeline depends on that, and its users should not have to build LibYAML.
        .target(
            name: "PushLintConfiguration", dependencies: ["PushLint", "PushModel", "TerminalStyle", "YAMLText"]),
        .target(name: "DeviceScreens", dependencies: ["CompactStorage", "PayloadJSON", "PushDecoding", "PushModel"]),
        .target(name: "AppSimulation", dependencies: ["PayloadJSON", "PushModel"]),
        // One client of the generic preferences: the settings screen of Wikipedia's app.
        .target(name: "WikimediaSettings", dependencies: ["AppSimulation", "PayloadJSON", "PushModel"]),
        .target(
            name: "DeviceRegistry",
            dependencies: ["AppSimulation", "CompactStorage", "PayloadJSON", "PushModel", "PushDecoding"]),
        .target(
            name: "NotificationStore",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "PayloadJSON", "PushModel", "PushDecoding",
                .product(name: "GRDB", package: "GRDB.swift"),
                // The C functions themselves, for the three statements that run once a notification.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // Runs service extensions in processes of their own. It knows their protocol and nothing of UserNotifications, so that the command
        // starts without Foundation's larger half.
        .target(
            name: "ExtensionHost",
            dependencies: ["PayloadJSON", "PushModel", "DeviceScreens", "NotificationStore"]
        ),
        .target(
            name: "PushPipeline",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "ExtensionHost", "NotificationStore", "PayloadJSON",
                "PushDecoding", "PushLint", "PushModel", "RecordFraming", "TerminalStyle",
            ]
        ),
        .target(name: "PushWorkload"),
        // Feature files, as the official grammar has them. Knows nothing of pushes, and imports nothing.
        .target(name: "Gherkin"),
        // Cucumber Expressions, and the runner of scenarios. Knows nothing of pushes either.
        .target(name: "GherkinRunner", dependencies: ["Gherkin"]),
        // The steps of scenarios about pushes, and reports of what became of them.
        .target(
            name: "PushScenarios",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "Gherkin", "GherkinRunner", "NotificationStore",
                "PayloadJSON", "PushDecoding", "PushLint", "PushModel", "PushPipeline", "TerminalStyle",
                "WikimediaSettings",
            ]
        ),
        // Paths, and whole files.
        .target(name: "FileAccess", dependencies: ["PushPipeline", "TerminalStyle"]),
        // Builds service extensions from the sources of an iOS project, and has those that come with the command.
        .target(
            name: "ExtensionBuild", dependencies: ["FileAccess", "PayloadJSON", "PushPipeline", "TerminalStyle"]),
        .executableTarget(
            name: "pushpipe",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "ExtensionBuild", "ExtensionHost", "FileAccess",
                "GherkinRunner",
                "NotificationStore", "PayloadJSON", "PushDecoding", "PushModel", "PushPipeline", "PushLint",
                "PushWorkload", "RecordFraming", "PushScenarios", "TerminalStyle", "WikimediaSettings",
                "PushLintConfiguration", "YAMLText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "PayloadJSONTests",
            dependencies: ["CBlockScan", "CJansson", "PayloadJSON", "TestSupport"],
            exclude: ["Corpus"]
        ),
        .testTarget(name: "CompactStorageTests", dependencies: ["CompactStorage", "PayloadJSON", "TestSupport"]),
        .testTarget(name: "PushModelTests", dependencies: ["PayloadJSON", "PushDecoding", "PushModel"]),
        .testTarget(name: "PushDecodingTests", dependencies: ["PayloadJSON", "PushDecoding", "PushModel"]),
        .testTarget(
            name: "PushLintTests",
            dependencies: ["PayloadJSON", "PushDecoding", "PushModel", "PushLint", "TestSupport"],
            exclude: ["Corpus"]),
        .testTarget(
            name: "DeviceScreensTests",
            dependencies: ["DeviceScreens", "PayloadJSON", "PushModel", "TestSupport"]),
        .testTarget(
            name: "AppSimulationTests",
            dependencies: ["AppSimulation", "PayloadJSON", "PushDecoding", "PushModel", "TestSupport"]),
        .testTarget(
            name: "WikimediaSettingsTests",
            dependencies: ["AppSimulation", "PayloadJSON", "PushModel", "TestSupport", "WikimediaSettings"]),
        .testTarget(
            name: "DeviceRegistryTests", dependencies: ["DeviceRegistry", "PayloadJSON", "PushModel", "TestSupport"]),
        .testTarget(
            name: "NotificationStoreTests",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "NotificationStore", "PayloadJSON", "PushDecoding",
                "PushModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PushPipelineTests",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "NotificationStore", "PayloadJSON", "PushDecoding",
                "PushModel", "PushPipeline", "PushWorkload", "RecordFraming", "TerminalStyle", "TestSupport",
            ]
        ),
        .testTarget(name: "ExtensionBuildTests", dependencies: ["ExtensionBuild", "TestSupport"]),
        .testTarget(name: "PushWorkloadTests", dependencies: ["PushWorkload"]),
        .testTarget(name: "GherkinRunnerTests", dependencies: ["Gherkin", "GherkinRunner"]),
        .testTarget(
            name: "PushScenariosTests",
            dependencies: [
                "DeviceScreens", "GherkinRunner", "PayloadJSON", "PushDecoding", "PushModel", "PushPipeline",
                "PushScenarios",
            ]),
        .testTarget(name: "GherkinTests", dependencies: ["Gherkin", "TestSupport"], exclude: ["Cases"]),
        // Runs the built command, so it depends on it.
        .testTarget(name: "CommandTests", dependencies: ["pushpipe", "TestSupport"]),
        // What several test targets share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // What must hold for arbitrary bytes: libFuzzer runs it with `PUSHPIPE_FUZZ=1`, and the tests do over what was found.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AppSimulation", "DeviceRegistry", "DeviceScreens", "ExtensionBuild", "ExtensionHost", "Gherkin",
                "NotificationStore", "PayloadJSON", "PushDecoding", "PushLint", "PushModel", "PushPipeline",
                "RecordFraming", "TerminalStyle", "WikimediaSettings",
            ],
            path: "Fuzzing/FuzzTargets"
        ),
        .testTarget(name: "FuzzTargetTests", dependencies: ["FuzzTargets", "PayloadJSON", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

if hasBenchmarks {
    // Runs micro-benchmarks and keeps their figures to compare with. Ordo One, Apache-2.0. Its traits replace malloc and the
    // functions that count references, to count calls of them; that takes time of its own, so they are left out.
    package.dependencies.append(
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: [])
    )
    package.targets += [
        // In the folder `Benchmarks`, because the plugin takes every executable target right below it for its own.
        .executableTarget(
            name: "PipelineBenchmarks",
            dependencies: [
                "NotificationStore", "PayloadJSON", "PushModel", "PushPipeline", "PushWorkload",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/PipelineBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // A folder further down, so that the plugin does not.
        .executableTarget(
            name: "scan-pushpipe",
            dependencies: ["PayloadJSON"],
            path: "Benchmarks/ScanTiming/Sources"
        ),
    ]
}

if hasFuzzer {
    package.targets.append(
        .executableTarget(
            name: "fuzz-pushpipe", dependencies: ["FuzzTargets"], path: "Fuzzing/FuzzDriver",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])])
    )
}

// The UserNotifications framework for extensions that run on Linux. Apple's systems have the real one, which a target of the same
// name would hide.
#if os(Linux)
    package.products += [
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "ServiceExtension", targets: ["ServiceExtension"]),
        .library(name: "ExtensionRuntime", targets: ["ExtensionRuntime"]),
    ]
    package.targets += [
        .target(name: "UserNotifications"),
        .testTarget(name: "UserNotificationsTests", dependencies: ["UserNotifications", "SampleExtension"]),
        // In the process of an extension: no more than it needs, so that it starts soon and builds alone.
        .target(name: "ExtensionRuntime", dependencies: ["UserNotifications"]),
        .target(
            name: "ServiceExtension",
            dependencies: ["AppSimulation", "PayloadJSON", "PushDecoding", "PushModel", "UserNotifications"]),
        .testTarget(
            name: "ExtensionHostTests",
            dependencies: [
                "DeviceScreens", "AppSimulation", "ExtensionHost", "ExtensionProbe", "NotificationStore", "PayloadJSON",
                "PushModel",
                "PushPipeline", "TerminalStyle", "TestSupport",
            ]),
        .testTarget(
            name: "ServiceExtensionTests",
            dependencies: ["PushModel", "SampleExtension", "ServiceExtension", "TestSupport", "UserNotifications"]),
    ]
#endif

#if os(Linux)
    if hasBenchmarks {
        // How many pushes a second an extension handles in process.
        package.targets.append(
            .executableTarget(
                name: "time-extension", dependencies: ["ServiceExtension", "UserNotifications"],
                path: "Benchmarks/ExtensionTiming/Sources"))
    }
#endif

/// `PUSHPIPE_EXTENSION_SHIMS=1` adds modules by the names of Apple's that extensions import besides UserNotifications. Behind a variable,
/// because whatever is built beside a module called `os` takes the machine for one of Apple's: swift-argument-parser does.
let hasShims = Context.environment["PUSHPIPE_EXTENSION_SHIMS"] == "1"

#if os(Linux)
    if hasShims {
        let shims = ["os", "UniformTypeIdentifiers", "MobileCoreServices", "UIKit", "Intents"]
        let dependencies: [String: [Target.Dependency]] = ["os": ["COS"], "Intents": ["UserNotifications"]]
        package.products += shims.map { .library(name: $0, targets: [$0]) }
        // A C module of the same name: only that can have submodules such as os.log.
        package.targets.append(.target(name: "COS", path: "Sources/Shims/COS"))
        package.targets += shims.map { name in
            .target(name: name, dependencies: dependencies[name] ?? [], path: "Sources/Shims/\(name)")
        }
    }
#endif

/// `PUSHPIPE_EXTENSION_CRYPTO=1` adds a module `CryptoKit`. A variable of its own, because what stands behind it takes a minute to build.
let hasCrypto = Context.environment["PUSHPIPE_EXTENSION_CRYPTO"] == "1"

#if os(Linux)
    if hasCrypto {
        // CryptoKit's API over BoringSSL, for extensions that decrypt. Apple's own, maintained since 2020, Apache-2.0.
        package.dependencies.append(.package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"))
        package.products.append(.library(name: "CryptoKit", targets: ["CryptoKit"]))
        package.targets.append(
            .target(
                name: "CryptoKit", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
                path: "Sources/Shims/CryptoKit"))
    }
#endif

let swiftTargets = package.targets.filter {
    $0.type != .system && !["CBlockScan", "COS", "fuzz-pushpipe"].contains($0.name)
}
for target in swiftTargets {
    var settings = target.swiftSettings ?? []
    settings += [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
    ]
    if isStrict { settings.append(.treatAllWarnings(as: .error)) }
    if hasFuzzer { settings.append(.unsafeFlags(["-sanitize=fuzzer,address", "-enforce-exclusivity=checked"])) }
    target.swiftSettings = settings
}

#if os(Linux)
    // Service extensions as projects for iOS have them. After the loop, because it stands for code that is compiled unchanged: in
    // Swift 5 mode, with the settings of no one.
    package.targets += [
        .target(
            name: "SampleExtension", dependencies: ["UserNotifications"], path: "Tests/SampleExtension",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A program that runs them, and some that fail in every way, for the tests of processes.
        .executableTarget(
            name: "ExtensionProbe", dependencies: ["ExtensionRuntime", "SampleExtension", "UserNotifications"],
            path: "Tests/ExtensionProbe", swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
#endif
