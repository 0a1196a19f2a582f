enum CommandHelp {
    static let lint = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. In a directory, reads what ends in \
        .json, .ndjson, .jsonl or .apns and may be a payload, except hidden files and those that .gitignore or .ignore names. \
        The nearest .pushpipe.yml above each file selects the rules.

          pushpipe lint payload.json
          pushpipe lint --fix --dry-run payload.json | patch -p0
          curl -s https://example.org/a | pushpipe lint --format ndjson | jq -r .rule
          pushpipe lint --budget-report payload.json
          pushpipe lint --sizes --budget 256 payloads/ | grep 'too many'
          pushpipe lint --stdin-filename payloads/a.json - < buffer
          pushpipe lint --schema order.schema.json payloads/
          pushpipe lint --ignore gcm --extend aps.category-without-alert payloads/

        Exit status: 0 without errors, 1 with errors (with --strict, also with warnings; with --exit-zero, neither), 2 for a usage error, an \
        unreadable file, or nothing to check, 128 plus the signal number after an orderly stop. pushpipe explain --rules lists the rules; pushpipe explain RULE explains one.
        """

    static let explain = """
        Explains a word, or lists the rules of a group. Without a word, lists every rule, every answer of the services, and every word of \
        reports and events. --rules lists all rules, or the named rules and groups.

          pushpipe explain aps.misspelled-key
          pushpipe explain BadTopic
          pushpipe explain silent
          pushpipe explain alerts-off
          pushpipe explain --rules aps alert
          pushpipe explain --rules --format ndjson | jq -r .id
          pushpipe explain --format ndjson | jq 'select(.kind == "answer")'
        """

    static let partition = """
        Reads each FILE in turn, or standard input if there is none or FILE is -, and writes each record to the part of its device, with its \
        place in the input. pushpipe run takes a part as it is: its report and its store have the lines and rows that one run of everything \
        would have for the devices of this part. pushpipe merge joins the reports, and pushpipe merge --store the stores.

          pushpipe partition day.ndjson --parts 64 --output parts
          pushpipe run parts/part-00007.ndjson > reports/part-00007.ndjson
          pushpipe merge reports > report.ndjson

        A record whose outcome depends on devices of several parts ends the command with its number and the reason: a subscription to a topic, \
        a token that another device may have had, and whatever is for Live Activities. With --key-column, an engine divides the lines by the \
        first column and sorts them by the second, as a number. Give run the other options that the whole input needs, without --framing, \
        --at and --skip-prefix.

        Exit status: 0 on success, 2 for a usage error, unreadable input, such a record, or a part that cannot be written; 128 plus the signal \
        number after an orderly stop. A part without its last line is incomplete.
        """

    static let merge = """
        Merges the NDJSON reports of all parts that pushpipe partition has made of an input into the report of one run, on standard output. \
        In a folder, reads the files that end in .ndjson. Each report is read once, from its beginning to its end, so it may be a pipe.

          pushpipe merge reports/ > report.ndjson
          pushpipe merge reports/ | jq 'select(.outcome == "rejected")'
          pushpipe merge stores/ --store phone.db

        Where a report is cut off or damaged, or two say different things about a record, standard error names what is left out.

        With --store, joins the stores of the parts, in any order, into the store that one run of the whole input would have written; another \
        run goes on with it in the same way. All parts must be there, and each read to its end; --partial merges what is there. The store must \
        be new or empty. The merge is all or nothing. The progress of files and the last report are left out, so run --resume has nothing to \
        resume.

        Exit status: 0 on success, 2 for a usage error, a file that is not a report or a store, or output that cannot be written, 3 when \
        something was left out of a report.
        """

    static let test = """
        Reads feature files (Gherkin), or standard input when there is no FILE; - is standard input too. In a directory, it reads all \
        .feature files at any depth, except hidden ones. FILE:LINE runs the scenario, examples row, rule or feature at that line. \
        Each scenario has its own devices.

          pushpipe test Samples/Scenarios
          pushpipe test --dry-run replacement.feature
          pushpipe test --tags "@android and not @slow" features/
          pushpipe test --format junit features/ > report.xml
          pushpipe test --list-steps

        Exit status: 0 when every scenario passed, 1 when one failed or has an undefined or ambiguous step, 2 for wrong usage, when \
        there is no scenario to run, or when a file cannot be read or is not Gherkin; then nothing is run.
        """

    static let snapshot = """
        Runs each FILE on phones of its own; in a directory, each that ends in .json, .ndjson, .jsonl, .apns or .feature, except \
        hidden files, those that .gitignore or .ignore names, and .json files that cannot be payloads. What the phones show is \
        approved in a file with the same name and .phone after it.

          pushpipe snapshot payloads/
          pushpipe snapshot --update payloads/

        Two runs must not differ, so --store, --clock wall and --redact without a key are refused.

        Exit status: 0 if all is as approved, 1 if something differs or is new, an input is gone, or a scenario does not pass, \
        2 for a usage error, an unreadable file, or nothing to run.
        """

    static let bench = """
        Runs each FILE, or standard input if there is none or FILE is -, again and again as run does, and throws the reports away. \
        Prints records per second, time per stage, the latency of a record that arrives alone, and peak memory. Takes the options of run \
        that say how records are processed. Without any input, on a terminal, measures generated traffic.

          pushpipe bench traffic.ndjson --save before.json
          pushpipe bench traffic.ndjson --compare before.json
        """

    static let run = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. Writes one report line per message to standard \
        output: NDJSON in a pipe, aligned text on a terminal. Prints a summary to standard error.

          pushpipe run payloads.ndjson | jq 'select(.outcome == "rejected")'
          … | pushpipe run --fit --emit accepted --report-file report.ndjson | sender
          pushpipe run --skip-prefix app.log
          pushpipe run --at /push --answer-at /response sender.log
          pushpipe run --replace-by orderId --screen payloads.ndjson
        """

    static let trace = """
        Reads and delivers as run does. Instead of report lines, shows for each message what was decoded from the record, what --fit \
        and --extension changed, what the linter found, and how the screen changed. A store stays as it is: --store is read into \
        memory. FILE:LINE traces one record, after those before it.

          pushpipe trace payloads.ndjson:3
          pushpipe trace --store phone.db --seq 3
          head -1 payloads.ndjson | pushpipe trace --extension NotificationService.appex
        """

    static let overview = """
        Reads APNs, GCM and FCM payloads. Parses each one, checks it against its byte budget and its provider's rules, delivers it \
        to a simulated Notification Center, and reports the outcome in one line.

          echo '{"aps":{"alert":"Hi"}}' | pushpipe run
          pushpipe run --screen --device ab54 payloads.ndjson
          pushpipe trace payloads.ndjson:3
          pushpipe lint payload.json

        In a pipe, pushpipe without a command is pushpipe run.

        Exit status: 0 on success; 1 if --fail-on matched, an answer differs (--check-answers), the linter found errors, a scenario did not pass, a snapshot \
        differs, an extension build failed, a preference change was rejected or a store has no such device; 2 for a usage error, \
        unreadable input, nothing to lint or an unusable store; 128 plus the signal number after an orderly stop by SIGHUP, SIGINT or SIGTERM.
        """

    static let store = """
        Name the store with --store, as the first argument, or with PUSHPIPE_STORE: a first argument that names a file is the store. \
        The stores of parts are read once they are merged (pushpipe merge --store). Output is text on a terminal and NDJSON in a \
        pipe. The sqlite3 tool can read the file, too (views on_screen, events, badges).
        """

    static let storeShow = """
          pushpipe store show --store phone.db ab54
          pushpipe store show phone.db ab54
        """

    static let storeExport = """
        Writes NDJSON, one line per notification. --complete adds lines for badges and counters, and --events adds the journal. \
        pushpipe store import recreates the store from them.

          pushpipe store export --complete phone.db | pushpipe store import copy.db

        With --redact, redacts the export as a run with the same key does.

          pushpipe store export --redact all --redact-key-file key phone.db

        CSV (RFC 4180, with a header) contains only notifications. Texts that a spreadsheet may read as formulas are not escaped.
        """

    static let storeImport = """
        Reads each EXPORT in turn, or standard input if there is none or EXPORT is -. A new store continues as the exported one \
        would: with the same screens, identifiers, badges and counters, and with the journal if it was exported.

          pushpipe store export --events phone.db | pushpipe store import copy.db

        In a store that is not empty, imported notifications become the newest and replace those with the same identifier. The \
        import is all or nothing: an unreadable line ends it with status 2.
        """

    static let storePrune = """
        Removes a notification if --older-than or --keep selects it; either is enough. The removal is not journaled, and the journal \
        stays unless --events is given. An app on a device with no notification, badge or journal line left is no longer listed.

          pushpipe store prune phone.db --older-than 30d --keep 100 --dry-run

        A run may use the store at the same time. The file keeps its size and reuses freed space; --vacuum shrinks it, which \
        temporarily needs as much space again. Prints a summary to standard error; with --format ndjson, as JSON to standard output.
        """

    static let storeDevices = """
        Events in the stream and run --devices register devices.

          pushpipe store devices phone.db > devices.ndjson
          pushpipe run --devices devices.ndjson payloads.ndjson
        """

    static let schemaInfer = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. The schema lists the properties with their types, \
        requires those that every payload has, and names the formats date-time, date, uuid and uri where all strings have it. What \
        Apple defines, aps, is left out.

          pushpipe schema infer pushes.ndjson > push.schema.json
          pushpipe lint --schema push.schema.json pushes.ndjson
        """

    static let serve = """
        Listens for requests to APNs, FCM and others, with and without TLS, over HTTP/2 or HTTP/1.1. Treats each as a record \
        of run: checks it, delivers it, writes a report line, and answers with the provider's status and reason. On SIGINT, \
        SIGTERM or SIGHUP, answers the requests in flight and prints a summary to standard error. A browser at \
        http://127.0.0.1:2197/ shows the devices and why a push did not appear.

          pushpipe serve --store phone.db
          curl --http2-prior-knowledge -H apns-topic:org.example.app \\
            -d '{"aps":{"alert":"Hi"}}' http://127.0.0.1:2197/3/device/ab12
        """

    static let preferencesSet = """
        Acts as the app's settings screen does: turning on the first type requests permission, which is granted, and registers the \
        device; then the setting is saved on the wiki. A new device is logged out and has everything off.

          pushpipe preferences set sport on news off --account Anna --mapping app.yml
          pushpipe preferences set --permission denied --mapping app.yml
          pushpipe preferences set sport on --dry-run --mapping app.yml

        Exit status 1 if a change was rejected: by the wiki (--answer), or because permission was denied or registration failed.
        """

    static let extensionBuild = """
        Builds Swift files, or the files below a folder, with pushpipe's UserNotifications. The command compiles copies without @objc, \
        which the compiler rejects on Linux; nothing else changes. It finds the service class itself. Info.plist, .lproj folders, \
        .strings, .xcstrings, .entitlements and other resources go into the bundle as with Xcode, with build settings filled in. \
        Tests, projects and hidden files are left out.

          pushpipe extension build NotificationService/
          pushpipe extension build NotificationService.swift Info.plist --output build
          pushpipe extension build MyService/ --module SharedKit=Shared/Sources
          pushpipe extension build --project App.xcodeproj --target NotificationService
          pushpipe run --extension "$(pushpipe extension build MyService/)" push.json

        Prints only the path of the .appex to standard output. The first build also compiles and caches pushpipe's modules. \
        Extensions can import Foundation, UserNotifications, and pushpipe's modules with Apple's names, such as os.

        Building runs code of whoever wrote the sources: a package's manifest, plugins and macros are programs, and run with your \
        permissions. Packages that you have not named with --package are listed first, and run in a sandbox where the system has \
        bubblewrap or user namespaces: they see their repository and no other file of yours, and have a network only to fetch packages \
        of their own. --no-packages leaves them out.

        Exit status: 0 if the build succeeded, 1 if it failed, 2 for a usage error, an unreadable file, or a missing class.
        """

    static let extensionProject = "Xcode project or workspace with the extension's target."

    static let extensionTarget = "Target of the project. (default: its only service extension)"

    static let extensionModule = "Module that the extension imports, from a folder of Swift files. Repeatable."

    static let extensionPackage = "Swift package that the extension imports. Repeatable."

    static let extensionNoPackages = "Leave out packages that a folder or project has and --package does not name."

    static let extensionEntitlements =
        "Entitlements file. (default: the one named like the extension, else the one for releases)"
}

enum ExtensionHelp {
    static let path = """
        Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, \
        builtin:attachment=KEY, which downloads the URL in this member of the payload, or builtin:localize=FILE, which resolves \
        loc-keys from a .strings file.
        """
    static let instances = "Number of extension processes; each device always uses the same one."
    static let timeout =
        "Time until serviceExtensionTimeWillExpire, in seconds or with a suffix ms or s."
    static let memory =
        "Private memory limit per process, with an optional suffix K, M or G. (default: no limit)"
    static let removal = """
        When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which drops removals \
        still pending when the extension calls its content handler. Also for --replace-by. (default: immediate)
        """
    static let removalWait =
        "How long the extension waits after a removal, by the run's clock. (default: 0)"
    static let filtering =
        "Give the app the filtering entitlement: empty content shows nothing. (default: as the .appex says)"
    static let communication =
        "Give the app the communication entitlement: senders are shown. (default: as the .appex says)"
    static let language = "Language of the extension's texts and locale, such as de."
    static let sandbox =
        "Folder for the home directory, temporary files and app groups. (default: a temporary one)"
    static let attachments = "Move attachments to this folder. (default: one in the sandbox)"
    static let appGroup =
        "Defaults that an app group begins with, from a property list or a JSON object. Repeatable."
    static let keychain =
        "Items that the keychain begins with, from a JSON array or a property list, by the names of Security's constants."
    static let certificates = "Certificates in PEM format that the extension trusts, as its system does."
}
