// swift-tools-version: 6.2
import PackageDescription

/// `PUSHPIPE_EXTENSION_SHIMS=1` adds the modules in `Sources/Apple/Shims`, which have the names of Apple's. A variable and not a trait, because a
/// trait cannot remove a target, and `#if canImport` finds even an empty module: code built next to a module called
/// `os`, such as swift-argument-parser, assumes an Apple platform.
let hasShims = Context.environment["PUSHPIPE_EXTENSION_SHIMS"] == "1"

/// `PUSHPIPE_BENCHMARKS=1` adds the programs in `Benchmarks`, and fetches the package that runs some of them.
let hasBenchmarks = Context.environment["PUSHPIPE_BENCHMARKS"] == "1"

/// `PUSHPIPE_FUZZER=1` adds the fuzzer, which takes flags of its own. Fuzzing/fuzz.sh sets both.
let hasFuzzer = Context.environment["PUSHPIPE_FUZZER"] == "1"

/// `PUSHPIPE_TESTS=PushModelTests,PushLintTests` leaves the other test targets out, and with them whatever only they need. Scripts/test.sh
/// sets it for a filter that names a target.
let selectedTests = Context.environment["PUSHPIPE_TESTS"].map { Set($0.split(separator: ",").map(String.init)) }

/// The commit that `pushpipe --version` tells. Scripts/release.sh sets it.
let commit = Context.environment["PUSHPIPE_COMMIT"] ?? ""

/// A copy that SwiftPM has fetched for another package, or reads before it does. Its traits are off unless that package turns them on, so that
/// nothing else is fetched for it: SwiftPM leaves out a package all of whose uses depend on traits that are off.
let isDependency =
    Context.packageDirectory == "/" || Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

let package = Package(
    name: "pushpipe",
    platforms: [.macOS(.v15)],
    products: [
        // Each library is one module, which re-exports those whose types its API uses: see its Exports.swift.
        .library(name: "PushPipeline", targets: ["PushPipeline"]),
        // Separate from PushPipeline, so that only users of stores in files need SQLite.
        .library(name: "PushSQLite", targets: ["PushSQLite"]),
        .library(name: "PushScenarios", targets: ["PushScenarios"]),
        .library(name: "PushLint", targets: ["PushLint"]),
        // Separate from PushLint, so that only users of .pushpipe.yml build LibYAML.
        .library(name: "PushLintConfiguration", targets: ["PushLintConfiguration"]),
        // A push service in the process of a test.
        .library(name: "PushpipeTesting", targets: ["PushpipeTesting"]),
        .executable(name: "pushpipe", targets: ["pushpipe"]),
        // Apple's API for service extensions, for Linux. On other systems the modules are empty, so that a package that depends on them
        // only on Linux resolves everywhere.
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "ServiceExtension", targets: ["ServiceExtension"]),
        // The same with a stub server, payload builders and snapshots, for teams. Builds no other package.
        .library(name: "ServiceExtensionTesting", targets: ["ServiceExtensionTesting"]),
        .library(name: "ExtensionRuntime", targets: ["ExtensionRuntime"]),
        // For targets with an extension that a test runs: their calls of Foundation get what Apple's systems do.
        .plugin(name: "AppleFoundation", targets: ["AppleFoundation"]),
    ],
    traits: [
        .default(enabledTraits: isDependency ? [] : ["Command"]),
        .trait(name: "Testing", description: "For the product PushpipeTesting: fetches SwiftNIO."),
        .trait(
            name: "Command",
            description: "For the product pushpipe: fetches all packages, such as those for TLS.",
            enabledTraits: ["Testing"]),
        .trait(
            name: "Strict",
            description: "Treats warnings as errors. Off, so that a newer compiler's new warning fails no user's build."
        ),
        .trait(
            name: "ExtensionCrypto",
            description:
                "Fills the module CryptoKit, one of the extension shims, from swift-crypto, which takes a minute to build."
        ),
        .trait(
            name: "ExtensionCombine",
            description: "Fills the module Combine, one of the extension shims, from OpenCombine."
        ),
    ],
    dependencies: [
        // Arguments, help, shell completion and the man page of the command. Apple, Apache-2.0.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // The heap of expiry times: a million insertions and removals take a third to a half of the time of a binary heap of our own.
        // Apple, Apache-2.0. `PushDevices`, `PushSQLite` and `PushPartition` import it. The gateway has its queues
        // from it. Of it only HeapModule and DequeModule are built.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Reads the linter's configuration: projects keep such files in YAML, and errors in them must be reported by
        // line. LibYAML in Swift, the parser of SwiftLint, maintained since 2016, MIT. Only `PushYAML` imports it.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        // Event loops and sockets of the gateway, and HTTP/1.1. Apple, Apache-2.0. Only `PushGateway` and
        // `PushGatewayTLS` import this and the next five.
        .package(url: "https://github.com/apple/swift-nio", from: "2.98.0"),
        // HTTP/2: frames, header compression, flow control, and limits against floods, which are nothing to write oneself.
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        // TLS on an event loop.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.35.0"),
        // Makes the gateway's development certificates. Its names are values of swift-asn1.
        .package(url: "https://github.com/apple/swift-certificates", from: "1.19.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.4.0"),
        // The keys of those certificates, provider tokens (ES256), and assertions of service accounts (RS256). The extension
        // shims have CryptoKit from it. The range of swift-certificates; Scripts/oldest-packages.sh builds with its lower end.
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"6.0.0"),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: - Targets

// A target imports only targets of its own district, and of those above it. Scripts/check-house.sh enforces that, and refuses what is declared
// and not imported.

/// Gives targets their folders: Sources/DISTRICT/NAME, or Tests/DISTRICT/NAME.
func district(_ name: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil && target.type != .plugin {
        target.path = "\(target.type == .test ? "Tests" : "Sources")/\(name)/\(target.name)"
    }
    return targets
}

// The machine: nothing here knows JSON or pushes.
package.targets += district(
    "Base",
    [
        // Basic utilities for all modules, and the only importer of the C library.
        .target(name: "CPushSystemCalls"),
        .target(name: "PushSystem", dependencies: ["CPushSystemCalls"]),
        // Text for a terminal: escaping, columns, colors, source lines with a mark. Only the package uses it.
        .target(name: "PushText"),
        // Paths and whole files.
        .target(name: "PushFiles", dependencies: ["PushSystem", "PushText"]),
        .testTarget(name: "PushSystemTests", dependencies: ["PushSystem", "TestSupport"]),
        .testTarget(name: "PushTextTests", dependencies: ["PushText"]),
        .testTarget(name: "PushFilesTests", dependencies: ["PushFiles", "PushSystem", "TestSupport"]),
        // Code shared by several test targets.
        .target(name: "TestSupport", dependencies: ["PushSystem"], path: "Tests/Base/TestSupport"),
    ])

// Texts: nothing of pushes.
package.targets += district(
    "Formats",
    [
        .systemLibrary(
            name: "CPushJansson",
            pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]
        ),
        // zlib's module map. It is in every system's folders for headers and libraries, so pkg-config need not look for it. Only `PushServices`
        // imports it, for requests compressed with gzip.
        .systemLibrary(name: "CPushZlib"),
        // The scanner's two passes, in C: Swift has no portable way to turn byte comparisons of SSE2, AVX2 and NEON into a bit mask.
        .target(name: "CPushBlockScan"),
        .target(name: "PushJSON", dependencies: ["PushSystem", "CPushBlockScan", "CPushJansson"]),
        // What was meant by a text that is not JSON: its mistakes, with edits that fix the frequent ones, and relaxed JSON.
        .target(name: "PushJSONRepair", dependencies: ["PushJSON", "PushSystem"]),
        // JSON-RPC 2.0 over streams, framed by headers or by lines: what the language server and `pushpipe mcp` share.
        .target(name: "PushRPC", dependencies: ["PushJSON"]),
        // JSON Schema, draft 2020-12, over scanned text: compiles schemas, checks values, infers schemas. Knows nothing of pushes.
        .target(name: "PushJSONSchema", dependencies: ["PushJSON", "PushSystem"]),
        // The only importer of Yams: reads hand-written YAML and reports errors by line.
        .target(
            name: "PushYAML",
            dependencies: [
                "PushSystem", "PushText",
                .product(name: "Yams", package: "Yams"),
            ]),
        // The keywords of Gherkin in all languages, in C: #embed copies them into the program in no time.
        .target(name: "CPushGherkinLanguages", exclude: ["languages.txt"]),
        // Parses feature files by the official grammar. Knows nothing of pushes.
        .target(name: "PushGherkin", dependencies: ["CPushGherkinLanguages"]),
        .testTarget(
            name: "PushJSONTests",
            dependencies: ["PushJSON", "TestSupport", "CPushBlockScan", "CPushJansson"],
            exclude: ["Corpus"]
        ),
        .testTarget(
            name: "PushJSONRepairTests", dependencies: ["PushJSON", "PushJSONRepair", "TestSupport"]),
        .testTarget(name: "PushRPCTests", dependencies: ["PushJSON", "PushRPC"]),
        .testTarget(
            name: "PushJSONSchemaTests", dependencies: ["PushJSON", "PushJSONSchema", "PushSystem", "TestSupport"],
            exclude: ["Cases"]),
        .testTarget(name: "PushGherkinTests", dependencies: ["PushGherkin", "TestSupport"], exclude: ["Cases"]),
    ])

// Records and messages.
package.targets += district(
    "Push",
    [
        // Vocabulary and fact tables only: provider, push type, budget, rejection, finding, outcome, message.
        .target(name: "PushModel", dependencies: ["PushJSON", "PushSystem", "PushText"]),
        // Decodes records to messages, and applies the providers' rejections.
        .target(
            name: "PushDecoding",
            dependencies: ["PushJSON", "PushJSONRepair", "PushModel", "PushSystem", "CPushBlockScan"]),
        // Splits a stream of bytes into records. Used by the linter and the pipeline.
        .target(
            name: "PushFraming",
            dependencies: ["PushJSON", "PushDecoding", "PushJSONRepair", "PushModel", "PushSystem"]),
        // Replaces tokens and content with digests, in JSON and in other texts.
        .target(name: "PushRedaction", dependencies: ["PushJSON", "PushDecoding", "PushModel", "PushSystem"]),
        .testTarget(name: "PushModelTests", dependencies: ["PushJSON", "PushModel", "TestSupport"]),
        .testTarget(
            name: "PushDecodingTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushJSONRepair", "PushModel", "PushSystem", "TestSupport",
            ]),
        .testTarget(
            name: "PushFramingTests",
            dependencies: ["PushJSON", "PushModel", "PushSystem", "PushFraming", "TestSupport"]),
        .testTarget(name: "PushRedactionTests", dependencies: ["PushRedaction", "PushSystem", "TestSupport"]),
    ])

// What is wrong with a record.
package.targets += district(
    "Lint",
    [
        .target(
            name: "PushLint",
            dependencies: [
                "PushJSON", "PushDecoding", "PushFiles", "PushJSONRepair", "PushModel", "PushSystem",
                "PushText", "PushFraming",
            ]),
        // Reads `.pushpipe.yml`. Not part of PushLint, so that its users do not build LibYAML.
        .target(
            name: "PushLintYAML",
            dependencies: ["PushJSON", "PushFiles", "PushLint", "PushModel", "PushText", "PushYAML"]),
        // The same with what checks values against schemas, which `pushpipe-core` does not build.
        .target(
            name: "PushLintConfiguration",
            dependencies: [
                "PushJSON", "PushFiles", "PushJSONSchema", "PushLint", "PushLintYAML", "PushText",
            ]),
        // Lints, fixes and watches files: what the command does and users of the library do not.
        .target(
            name: "PushLintFiles",
            dependencies: [
                "PushJSON", "PushFiles", "PushLint", "PushModel", "PushSystem", "PushText",
            ]),
        // The Language Server Protocol over the linter: a function from messages to messages.
        .target(
            name: "PushLanguageServer",
            dependencies: ["PushJSON", "PushFiles", "PushLint", "PushModel", "PushRPC", "PushText"]),
        .testTarget(
            name: "PushLintTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushFiles", "PushJSONRepair", "PushJSONSchema", "PushLint",
                "PushLintConfiguration", "PushLintFiles", "PushLintYAML", "PushModel", "PushSystem", "PushText",
                "PushWorkload", "PushFraming", "TestSupport",
            ],
            exclude: ["Corpus"]),
        .testTarget(
            name: "PushLanguageServerTests",
            dependencies: [
                "PushJSON", "PushLanguageServer", "PushLint", "PushLintConfiguration", "PushRPC", "PushSystem",
                "TestSupport",
            ]),
    ])

// What a phone knows.
package.targets += district(
    "Device",
    [
        .target(name: "AppSimulation", dependencies: ["PushJSON", "PushModel", "PushSystem"]),
        // The file that stores preferences, and the one that defines an app's notification types.
        .target(
            name: "PushPreferences",
            dependencies: [
                "AppSimulation", "PushFiles", "PushSystem", "PushYAML",
            ]),
        // Screens, what is known of devices, and stores as the pipeline and its readers see them, with the one in memory.
        .target(
            name: "PushDevices",
            dependencies: [
                "AppSimulation", "PushJSON", "PushDecoding", "PushModel", "PushRedaction", "PushSystem",
                .product(name: "HeapModule", package: "swift-collections"),
            ]),
        // SQLite's module map. The library is among every system's development files, so pkg-config need not look for it.
        .systemLibrary(name: "CPushSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // The store in a file, and the only importer of SQLite. It needs a connection, transactions and statements: what a library for databases
        // takes to compile was a sixth of `make run`.
        .target(
            name: "PushSQLite",
            dependencies: [
                "AppSimulation", "CPushSQLite", "PushJSON", "PushDecoding", "PushDevices",
                "PushModel", "PushRedaction", "PushSystem", "PushText",
                .product(name: "HeapModule", package: "swift-collections"),
            ]),
        .testTarget(
            name: "AppSimulationTests",
            dependencies: ["AppSimulation", "PushJSON", "PushDecoding", "PushModel", "PushSystem", "TestSupport"]),
        .testTarget(
            name: "PushPreferencesTests",
            dependencies: ["AppSimulation", "PushPreferences", "PushModel", "PushSystem", "TestSupport"]),
        .testTarget(
            name: "PushDevicesTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushDevices", "PushModel", "PushSystem", "TestSupport",
            ]),
        .testTarget(
            name: "PushSQLiteTests",
            dependencies: [
                "CPushSQLite", "PushJSON", "PushDecoding", "PushDevices", "PushModel",
                "PushSQLite", "PushSystem", "TestSupport",
            ]),
    ])

// How it looks.
package.targets += district(
    "Pictures",
    [
        // Draws screens, as SVG. Knows no store and no decoder, so that tests of extensions build neither.
        .target(
            name: "ScreenPictures",
            dependencies: ["PushJSON", "PushModel", "PushSystem", "PushText"]),
        // Pictures of screens, journals and budgets. Composes SVG and HTML; `rsvg-convert` makes PNG of it.
        .target(
            name: "PushPictures",
            dependencies: [
                "PushLint", "PushModel", "PushDevices", "PushSystem", "PushText", "ScreenPictures",
            ]),
        // The files of the web console, in C: #embed copies them into the program in no time.
        .target(name: "CPushConsolePage", exclude: ["Page"]),
        // The page that shows devices in a browser, as files with their types and headers.
        .target(name: "PushConsole", dependencies: ["PushSystem", "CPushConsolePage"]),
        .testTarget(
            name: "ScreenPicturesTests", dependencies: ["PushSystem", "ScreenPictures", "TestSupport"]),
        .testTarget(
            name: "PushPicturesTests",
            dependencies: [
                "PushLint", "PushModel", "PushPictures", "PushPipeline",
                "PushReports", "PushSQLite", "PushDevices", "PushSystem", "PushFraming", "ScreenPictures",
                "TestSupport",
            ]),
    ])

// Extensions. UserNotifications and what runs in an extension are for Linux, and empty on Apple platforms, which have the real ones.
package.targets += district(
    "Apple",
    [
        // The plural rules of CLDR are in the ICU that Foundation for Linux brings.
        .target(
            name: "UserNotifications",
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
        // Lets URLSession trust the certificates of SSL_CERT_FILE.
        .target(name: "CPushAuthorities"),
        // Runs in the process of an extension: minimal, so that it starts quickly and builds alone.
        .target(name: "ExtensionRuntime", dependencies: ["UserNotifications", "CPushAuthorities"]),
        .target(
            name: "ServiceExtension",
            dependencies: ["PushJSON", "PushModel", "UserNotifications"]),
        // What tests of an extension need beside the harness. Nothing here may need another package.
        .target(
            name: "ServiceExtensionTesting",
            dependencies: ["PushModel", "ScreenPictures", "ServiceExtension", "UserNotifications"]),
        // Runs service extensions in processes of their own. It knows their protocol and nothing of UserNotifications, so that the command
        // starts without Foundation's larger half.
        .target(name: "ExtensionHosting", dependencies: ["PushDevices", "PushJSON", "PushModel", "PushSystem"]),
        // The programs that extensions run as: finds those of bundles, and has the built-in ones.
        .target(
            name: "ExtensionPrograms", dependencies: ["ExtensionHosting", "PushJSON", "PushFiles", "PushSystem"]),
        // Builds service extensions from the sources of an iOS project.
        .target(
            name: "ExtensionBuild",
            dependencies: ["ExtensionPrograms", "PushFiles", "PushModel", "PushSystem", "PushText"]),
        .plugin(name: "AppleFoundation", capability: .buildTool()),
        .testTarget(name: "UserNotificationsTests", dependencies: ["SampleExtension", "UserNotifications"]),
        .testTarget(
            name: "ServiceExtensionTests",
            dependencies: ["PushModel", "SampleExtension", "ServiceExtension", "TestSupport", "UserNotifications"]),
        .testTarget(
            name: "ServiceExtensionTestingTests",
            dependencies: ["SampleExtension", "ServiceExtensionTesting", "TestSupport"]),
        .testTarget(
            name: "ExtensionHostingTests",
            dependencies: [
                "ExtensionHosting", "ExtensionProbe", "PushJSON", "PushModel",
                "PushPipeline", "PushReports", "PushDevices", "PushSystem", "PushText", "TestSupport",
            ]),
        .testTarget(
            name: "ExtensionBuildTests",
            dependencies: ["ExtensionBuild", "ExtensionHosting", "ExtensionPrograms", "PushSystem", "TestSupport"],
            exclude: ["Cases"]),
        // Service extensions as projects for iOS have them: compiled unchanged, in Swift 5 mode and without our settings.
        .target(
            name: "SampleExtension",
            dependencies: ["UserNotifications"],
            path: "Tests/Apple/SampleExtension",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A program that runs them, and some that fail in every way, for the tests of processes.
        .executableTarget(
            name: "ExtensionProbe",
            dependencies: ["ExtensionRuntime", "SampleExtension", "UserNotifications"],
            path: "Tests/Apple/ExtensionProbe", swiftSettings: [.swiftLanguageMode(.v5)]),
    ])

// The way from record to report.
package.targets += district(
    "Line",
    [
        .target(
            name: "PushPipeline",
            dependencies: [
                "AppSimulation", "ExtensionHosting", "PushJSON", "PushDecoding",
                "PushDevices", "PushJSONRepair", "PushModel", "PushRedaction",
                "PushSystem", "PushFraming",
            ]),
        // Reports about runs, screens and devices. Composes text and writes nothing.
        .target(
            name: "PushReports",
            dependencies: [
                "AppSimulation", "ExtensionHosting", "PushJSON", "PushDecoding",
                "PushDevices", "PushModel", "PushPipeline", "PushSystem", "PushText",
            ]),
        // The commit of a build, in C: a value on the compiler's command line cannot be passed to Swift.
        .target(
            name: "CPushBuildRevision",
            cSettings: commit.isEmpty ? [] : [.define("PUSHPIPE_COMMIT", to: "\"\(commit)\"")]),
        // What `run`, `trace` and `bench` do.
        .target(
            name: "PushRuns",
            dependencies: [
                "AppSimulation", "ExtensionHosting", "ExtensionPrograms", "PushJSON",
                "PushPreferences", "PushDecoding", "PushDevices", "PushFiles", "PushLint",
                "PushLintYAML", "PushModel", "PushPictures", "PushPipeline",
                "PushRedaction", "PushReports", "PushSystem", "PushText",
                "ScreenPictures", "CPushBuildRevision",
            ]),
        // Divides an input by device, for `pushpipe partition`, and joins the reports of the parts, for `pushpipe merge`.
        .target(
            name: "PushPartition",
            dependencies: [
                "PushJSON", "PushDecoding", "PushFiles", "PushModel", "PushPipeline", "PushReports", "PushRuns",
                "PushSystem", "PushText", "PushFraming",
                .product(name: "HeapModule", package: "swift-collections"),
            ]),
        .target(name: "PushWorkload", dependencies: ["PushSystem"]),
        // Repeats runs over an input and measures them, for `pushpipe bench`.
        .target(
            name: "PushBench",
            dependencies: [
                "ExtensionHosting", "PushJSON", "PushFiles", "PushModel", "PushPipeline",
                "PushReports", "PushRuns", "PushDevices", "PushSystem", "PushText", "PushWorkload",
                "PushFraming",
            ]),
        // Cucumber Expressions, and the runner of scenarios. Knows nothing of pushes either.
        .target(name: "PushGherkinRunner", dependencies: ["PushGherkin"]),
        // Rules by which requests go wrong, for the gateway and for scenarios.
        .target(
            name: "PushFaults",
            dependencies: ["PushDecoding", "PushFiles", "PushModel", "PushSystem", "PushYAML"]),
        // The steps of scenarios about pushes, and reports of their results.
        .target(
            name: "PushScenarios",
            dependencies: [
                "AppSimulation", "ExtensionHosting", "ExtensionPrograms",
                "PushJSON", "PushPreferences", "PushDecoding", "PushDevices", "PushFaults", "PushFiles",
                "PushGherkin", "PushGherkinRunner", "PushLint", "PushModel", "PushPipeline",
                "PushSystem", "PushText",
            ]),
        // Compares what phones show with approved files, for `pushpipe snapshot`.
        .target(
            name: "PushSnapshots",
            dependencies: [
                "ExtensionHosting", "PushJSON", "PushDecoding", "PushFiles",
                "PushGherkinRunner", "PushLint", "PushLintFiles", "PushModel", "PushPipeline", "PushReports",
                "PushRuns", "PushScenarios", "PushDevices", "PushSystem", "PushText",
            ]),
        .testTarget(
            name: "PushPipelineTests",
            dependencies: [
                "AppSimulation", "PushJSON", "PushDecoding", "PushDevices",
                "PushModel", "PushPipeline", "PushRedaction", "PushReports", "PushSQLite",
                "PushSystem", "PushText", "PushWorkload", "PushFraming", "TestSupport",
            ]),
        .testTarget(
            name: "PushReportsTests",
            dependencies: [
                "AppSimulation", "PushJSON", "PushDecoding", "PushDevices", "PushModel",
                "PushPipeline", "PushReports", "PushSQLite", "PushText", "PushFraming",
                "TestSupport",
            ]),
        .testTarget(
            name: "PushRunsTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushModel", "PushPipeline", "PushRedaction",
                "PushRuns", "PushSQLite", "PushDevices", "PushSystem", "PushText", "PushFraming",
                "TestSupport",
            ]),
        .testTarget(
            name: "PushPartitionTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushDevices", "PushModel", "PushPartition", "PushPipeline",
                "PushRuns", "PushSystem", "PushWorkload", "PushFraming", "TestSupport",
            ],
            exclude: ["Cases"]
        ),
        .testTarget(name: "PushWorkloadTests", dependencies: ["PushSystem", "PushWorkload", "TestSupport"]),
        .testTarget(
            name: "PushBenchTests",
            dependencies: [
                "PushBench", "PushPipeline", "PushDevices", "PushSystem", "PushText", "PushWorkload",
                "PushFraming", "TestSupport",
            ]),
        .testTarget(name: "PushGherkinRunnerTests", dependencies: ["PushGherkin", "PushGherkinRunner"]),
        .testTarget(
            name: "PushScenariosTests", dependencies: ["PushScenarios", "PushText", "TestSupport"],
            exclude: ["Guide/Features"]),
        .testTarget(
            name: "PushSnapshotsTests",
            dependencies: [
                "PushJSON", "PushDecoding", "PushPipeline", "PushRuns", "PushSnapshots",
                "PushSystem", "PushText", "TestSupport",
            ],
            exclude: ["Cases"]),
    ])

// What senders talk to.
package.targets += district(
    "Services",
    [
        // The description of the gateway's API and an example of fault rules, in C: #embed copies them into the program in no time.
        .target(name: "CPushAPIDescription", exclude: ["fault-examples.yml", "openapi.json"]),
        // What push services answer, and the gateway's own API: values in, values out. Knows sockets and TLS as a protocol.
        .target(
            name: "PushServices",
            dependencies: [
                "CPushAPIDescription", "CPushZlib", "PushJSON", "PushConsole", "PushDecoding",
                "PushDevices",
                "PushFaults", "PushFiles", "PushLint", "PushModel", "PushPipeline", "PushReports",
                "PushRuns", "PushSystem", "PushText", "PushFraming",
                "ScreenPictures",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        // A push endpoint for real client libraries: HTTP/2 and HTTP/1.1, without TLS.
        .target(
            name: "PushGateway",
            dependencies: [
                "PushFaults", "PushModel", "PushServices", "PushSystem", "PushFraming",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]),
        // Its certificates and TLS, and signatures. Apart from PushGateway, so that tests of senders build no BoringSSL.
        .target(
            name: "PushGatewayTLS",
            dependencies: [
                "PushFiles", "PushGateway", "PushServices", "PushSystem",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
            ]),
        // The gateway for tests of senders, in process.
        .target(
            name: "PushpipeTesting",
            dependencies: [
                "PushJSON", "PushGateway", "PushModel", "PushServices", "PushSystem",
            ]),
        // Requests, and sessions that answer them without a network.
        .target(
            name: "ServiceTestSupport",
            dependencies: [
                "PushJSON", "PushPipeline", "PushServices", "PushDevices", "PushSystem",
                "PushFraming",
            ],
            path: "Tests/Services/ServiceTestSupport"),
        .testTarget(
            name: "PushServicesTests",
            dependencies: [
                "CPushZlib", "PushJSON", "PushConsole", "PushDecoding", "PushDevices", "PushFaults", "PushLint",
                "PushModel", "PushPipeline", "PushRedaction", "PushRuns", "PushServices",
                "PushSQLite", "PushSystem", "PushFraming", "ServiceTestSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "PushGatewayTests",
            dependencies: [
                "PushFaults", "PushGateway", "PushGatewayTLS", "PushPipeline", "PushRuns", "PushServices",
                "PushDevices", "PushSystem", "PushFraming", "ServiceTestSupport", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
            ]),
        .testTarget(name: "PushpipeTestingTests", dependencies: ["PushpipeTesting", "TestSupport"]),
    ])

// Options, and nobody else knows them.
package.targets += district(
    "Command",
    [
        // Standard output with a buffer, and standard error. Only the command imports it: libraries write nothing.
        .target(name: "PushStreams", dependencies: ["PushJSON", "PushSystem", "PushText"]),
        // Looks through the devices of a store in a terminal, for `pushpipe view --tui`.
        .target(
            name: "PushTerminal",
            dependencies: [
                "PushModel", "PushReports", "PushRuns", "PushSQLite", "PushDevices", "PushSystem",
                "PushText",
            ]),
        // Pages of Documentation/reference, in C: #embed copies them into the program in no time.
        .target(name: "CPushReferencePages"),
        // `pushpipe mcp`: the Model Context Protocol over the command's own subcommands and a gateway's API.
        .target(
            name: "PushAssistant",
            dependencies: ["CPushReferencePages", "PushJSON", "PushFiles", "PushRPC", "PushSystem"]),
        // The configuration of all commands, .pushpipe.yml: a row for each key.
        .target(
            name: "PushSettings",
            dependencies: [
                "ExtensionHosting", "PushDecoding", "PushDevices", "PushFiles", "PushLint", "PushLintYAML", "PushModel",
                "PushPipeline", "PushSystem", "PushText", "PushYAML", "PushFraming",
            ]),
        // The command: arguments, then a plan, then the work, then an exit status. With the commands of the filter.
        .target(
            name: "PushCommand",
            dependencies: [
                "CPushReferencePages", "ExtensionHosting", "ExtensionPrograms", "PushJSON", "PushBench", "PushDecoding",
                "PushDevices", "PushFiles", "PushLint", "PushLintFiles", "PushLintYAML", "PushModel", "PushPictures",
                "PushPipeline",
                "PushRedaction", "PushReports", "PushRuns", "PushSettings", "PushSQLite", "PushStreams", "PushSystem",
                "PushTerminal", "PushText", "PushWorkload", "PushFraming", "ScreenPictures",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The commands that the core does not have, such as `serve` and `test`.
        .target(
            name: "PushTools",
            dependencies: [
                "AppSimulation", "ExtensionBuild", "ExtensionPrograms", "PushJSON", "PushPreferences",
                "PushAssistant", "PushCommand",
                "PushDecoding", "PushDevices", "PushFiles", "PushGatewayTLS", "PushGherkinRunner", "PushJSONSchema",
                "PushLanguageServer",
                "PushLint", "PushLintConfiguration", "PushLintYAML", "PushModel", "PushPartition", "PushPipeline",
                "PushReports",
                "PushRuns",
                "PushScenarios", "PushServices", "PushSettings", "PushSnapshots", "PushSQLite", "PushStreams",
                "PushSystem",
                "PushTerminal",
                "PushText", "PushFraming",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The command as it is installed.
        .executableTarget(name: "pushpipe", dependencies: ["PushCommand", "PushTools"]),
        // The same without the tools, for whoever builds from source and for measurements. Never installed.
        .executableTarget(name: "pushpipe-core", dependencies: ["PushCommand"]),
        .testTarget(
            name: "PushStreamsTests",
            dependencies: ["PushJSON", "PushStreams", "PushSystem", "PushText"]),
        .testTarget(
            name: "PushTerminalTests",
            dependencies: [
                "PushModel", "PushPipeline", "PushSQLite", "PushDevices", "PushSystem",
                "PushTerminal", "PushText", "TestSupport",
            ]),
        .testTarget(
            name: "PushAssistantTests",
            dependencies: ["PushJSON", "PushAssistant", "PushRPC", "PushSystem", "TestSupport"]),
        .testTarget(
            name: "PushSettingsTests",
            dependencies: [
                "ExtensionHosting", "PushDecoding", "PushDevices", "PushLint", "PushLintConfiguration", "PushModel",
                "PushPipeline", "PushSettings", "PushSystem", "PushYAML", "TestSupport",
            ]),
        // Values and combinations of options, without a process.
        .testTarget(
            name: "PushCommandTests",
            dependencies: [
                "PushBench", "PushCommand", "PushModel", "PushPipeline", "PushReports", "PushSettings", "PushSQLite",
                "PushDevices", "PushSystem", "PushText", "PushTools", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Runs the built commands, so it depends on them.
        .testTarget(
            name: "CommandTests",
            dependencies: ["TestSupport", "pushpipe", "pushpipe-core"]),
    ])

package.targets += [
    // What must hold for arbitrary bytes: libFuzzer looks for those that break it, and the tests run over what was found.
    .target(
        name: "FuzzTargets",
        dependencies: [
            "AppSimulation", "CPushSQLite", "ExtensionBuild", "ExtensionHosting", "ExtensionPrograms",
            "PushJSON", "PushAssistant", "PushDecoding", "PushDevices", "PushFaults",
            "PushFiles", "PushGherkin", "PushJSONRepair", "PushJSONSchema", "PushLanguageServer", "PushLint",
            "PushLintConfiguration", "PushModel", "PushPartition", "PushPictures", "PushPipeline",
            "PushRedaction", "PushReports", "PushRPC", "PushRuns", "PushServices", "PushSettings", "PushSnapshots",
            "PushSQLite", "PushSystem", "PushText", "PushFraming", "ScreenPictures",
        ],
        path: "Fuzzing/FuzzTargets"
    ),
    .testTarget(
        name: "FuzzTargetTests",
        dependencies: ["FuzzTargets", "TestSupport"],
        path: "Fuzzing/FuzzTargetTests"),
]

if hasShims {
    // Combine's API, for extensions that download and decode with publishers: Apple's is not open. MIT, 2019 to 2022; Combine
    // has hardly changed since. Only `Combine` imports it.
    package.dependencies.append(.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"))
    let combine = ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map { name in
        Target.Dependency.product(
            name: name, package: "OpenCombine", condition: .when(platforms: [.linux], traits: ["ExtensionCombine"]))
    }
    // CryptoKit's API over BoringSSL, for extensions that decrypt.
    let shims: [String: [Target.Dependency]] = [
        "os": ["COS"], "CoreData": ["UserNotifications"], "UniformTypeIdentifiers": [], "MobileCoreServices": [],
        "UIKit": ["UserNotifications"], "CoreServices": ["MobileCoreServices"], "CoreGraphics": ["UIKit"],
        "Intents": ["UserNotifications"], "OSLog": ["os"], "Security": ["UserNotifications"], "WidgetKit": [],
        "FirebaseMessaging": ["UserNotifications"], "OneSignalExtension": ["UserNotifications"],
        "OneSignal": ["OneSignalExtension"],
        "Combine": combine,
        "CryptoKit": [
            .product(
                name: "Crypto", package: "swift-crypto",
                condition: .when(platforms: [.linux], traits: ["ExtensionCrypto"]))
        ],
    ]
    // A C module that is called os: only that can have submodules such as os.log.
    package.targets.append(.target(name: "COS", path: "Sources/Apple/Shims/COS"))
    for (name, dependencies) in shims.sorted(by: { $0.key < $1.key }) {
        package.products.append(.library(name: name, targets: [name]))
        package.targets.append(.target(name: name, dependencies: dependencies, path: "Sources/Apple/Shims/\(name)"))
    }
}

if hasBenchmarks {
    // Runs micro-benchmarks and keeps their figures to compare with. Ordo One, Apache-2.0. Its traits replace malloc and the
    // functions that count references, to count calls of them; that takes time of its own, so they are left out.
    package.dependencies.append(.package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []))
    package.targets += [
        // In the folder `Benchmarks`, because the plugin takes every executable target right below it for its own.
        .executableTarget(
            name: "PipelineBenchmarks",
            dependencies: [
                "PushJSON", "PushModel", "PushPipeline", "PushSQLite", "PushDevices", "PushWorkload",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/PipelineBenchmarks"
        ),
        // A folder further down, so that the plugin does not.
        .executableTarget(
            name: "scan-pushpipe", dependencies: ["PushJSON"], path: "Benchmarks/ScanTiming/Sources"),
        // How many pushes a second an extension handles in process.
        .executableTarget(
            name: "time-extension", dependencies: ["ServiceExtension", "UserNotifications"],
            path: "Benchmarks/ExtensionTiming/Sources"),
    ]
}

if hasFuzzer {
    // Runs the fuzz targets under libFuzzer.
    package.targets.append(
        .executableTarget(name: "fuzz-pushpipe", dependencies: ["FuzzTargets"], path: "Fuzzing/FuzzDriver"))
}

if let selectedTests {
    package.targets.removeAll { $0.type == .test && !selectedTests.contains($0.name) }
}

/// The traits that packages are for. The others are small and always there.
let traits = [
    "swift-nio": "Testing", "swift-nio-http2": "Testing", "swift-argument-parser": "Command",
    "swift-nio-ssl": "Command", "swift-certificates": "Command", "swift-asn1": "Command", "swift-crypto": "Command",
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, _, nil) = dependency, let trait = traits[package] else {
            return dependency
        }
        return .product(name: name, package: package, condition: .when(traits: [trait]))
    }
}

let withoutSwiftSettings: Set = [
    "CPushAPIDescription", "CPushAuthorities", "CPushBlockScan", "CPushBuildRevision", "CPushConsolePage",
    "CPushGherkinLanguages", "COS",
    "CPushReferencePages", "CPushSystemCalls",
    "fuzz-pushpipe",
    "SampleExtension", "ExtensionProbe",
]
/// They touch raw memory: each use of it is marked `unsafe`, and a comment that begins with SOUND says why it is sound.
let withStrictMemorySafety: Set = [
    "AppSimulation", "PushDevices", "ExtensionHosting", "PushJSONSchema", "PushSQLite",
    "PushJSON", "PushBench", "PushConsole", "PushDecoding", "PushGateway", "PushGatewayTLS", "PushJSONRepair",
    "PushLanguageServer",
    "PushLint", "PushLintFiles", "PushModel", "PushPictures", "ScreenPictures", "PushPipeline",
    "PushAssistant", "PushReports", "PushRPC", "PushRuns", "PushServices",
    "PushSnapshots", "PushFraming", "ServiceExtensionTesting", "PushSystem", "PushText",
]
for target in package.targets
where target.type != .system && target.type != .plugin && !withoutSwiftSettings.contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("ExistentialAny"),
            .treatAllWarnings(as: .error, .when(traits: ["Strict"])),
        ]
    if withStrictMemorySafety.contains(target.name) { target.swiftSettings?.append(.strictMemorySafety()) }
}
