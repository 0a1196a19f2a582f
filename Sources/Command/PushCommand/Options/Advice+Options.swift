import PushModel

extension Advice {
    /// Names the options that do it.
    static let options: Wording = { advice in
        switch advice {
        case .readPlace(let name?): "; --at \"/\(name)\" reads the payload there"
        case .readPlace(nil): "; --at with the place of the payload in it reads that"
        case .forceFormat: "; --provider forces one"
        case .readAsFCM: "; --provider fcm reads it as a request to FCM"
        case .skipPrefix: "; --skip-prefix skips what stands before the object"
        case .acceptLongRecords: " (--max-record)"
        case .readRelaxed:
            "  pushpipe lint --fix corrects most such records; --relaxed reads many of them as they are\n"
        case .assumeMutable: "; --assume-mutable shows what it would do"
        case .acceptEmpty: " (--allow-empty accepts this)"
        case .resume: "; --resume continues from there"
        case .emitInput: "; use --emit-as input"
        case .keepContent: "; --store or --screen keeps them"
        case .setClock: " (--clock sets another)"
        case .keepRedactionKey: "; --redact-key-file FILE gives it one"
        case .passRedactionKey: "; pass that key with --redact-key-file or PUSHPIPE_REDACT_KEY"
        case .repeatRedactionKey:
            "; pass the same key with --redact-key-file or PUSHPIPE_REDACT_KEY (a key generated for one run is gone), or use another store"
        case .repeatRedaction(let parts):
            "; pass --redact \(parts) with its key (one that was generated for a run is gone), or use another store"
        case .redactStore:
            "; use another store, or redact this one: pushpipe store export --complete --redact … | pushpipe store import NEW"
        case .approve: "; the same command with --update approves what it shows"
        case .replaceParts: ", or use --force to replace its parts"
        case .joinParts: ", or use --key-column"
        case .showFaultExamples: "; serve --faults examples prints a file to begin with"
        case .completePart: "; run it again with --resume, or merge what is there with --partial"
        case .mergePartially: ", or merge what is there with --partial"
        case .exportAndImport:
            "; to add its contents to another store: pushpipe store export --events, then pushpipe store import"
        case .standIn(let module): ", or stand in for it with --module \(module)=FOLDER"
        case .clonePackage: "; clone it where you can, and name the clone with --package PATH"
        case .bringModules: "; name folders of your own with --module NAME=FOLDER, or of a package with --package"
        case .giveSetting(let name): "; give it with --setting \(name)=VALUE"
        case .fix: " with --fix"
        case .unfold: " (--no-fold shows all)"
        case .listOthers(let areMany): " (--verbose lists \(areMany ? "them" : "it"))"
        case .showSeverity(let severity): " (--severity \(severity.rawValue))"
        }
    }
}
