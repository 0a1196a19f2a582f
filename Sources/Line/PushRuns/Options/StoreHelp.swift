/// What the help of the commands about stores says.
package enum StoreHelp {
    package static let store = """
        Name the store with --store, as the first argument, or with PUSHPIPE_STORE: a first argument that names a file is the store. \
        Several stores, or a folder of them, are read as one: those of parts in the order of the original input, others one after the \
        other. No device may be in two of them. \
        Output is text on a terminal and NDJSON in a \
        pipe. The sqlite3 tool can read the file, too (views on_screen, events, badges).
        """

    package static let show = """
          pushpipe store show --store phone.db ab54
          pushpipe store show phone.db ab54
        """

    package static let export = """
        Writes NDJSON, one line per notification. --complete adds lines for badges and counters, and --events adds the journal. \
        pushpipe store import recreates the store from them.

          pushpipe store export --complete phone.db | pushpipe store import copy.db

        With --redact, redacts the export as a run with the same key does.

          pushpipe store export --redact all --redact-key-file key phone.db

        CSV (RFC 4180, with a header) contains only notifications. Texts that a spreadsheet may read as formulas are not escaped.
        """

    package static let importing = """
        Reads each EXPORT in turn, or standard input if there is none or EXPORT is -. A new store continues as the exported one \
        would: with the same screens, identifiers, badges and counters, and with the journal if it was exported.

          pushpipe store export --events phone.db | pushpipe store import copy.db

        In a store that is not empty, imported notifications become the newest and replace those with the same identifier. The \
        import is all or nothing: an unreadable line ends it with status 2.
        """

    package static let merge = """
        Joins the stores that pushpipe run wrote from the parts of pushpipe partition into the store that one run of the whole \
        input would have written; another run goes on with it in the same way. Takes the stores, or a folder of them, in any order.

          pushpipe store merge stores/ --store phone.db

        All parts must be there, and each read to its end; --partial merges what is there. The store must be new or empty. The \
        merge is all or nothing. The progress of files and the last report are left out, so run --resume has nothing to resume.
        """

    package static let prune = """
        Removes a notification if --older-than or --keep selects it; either is enough. The removal is not journaled, and the journal \
        stays unless --events is given. An app on a device with no notification, badge or journal line left is no longer listed.

          pushpipe store prune phone.db --older-than 30d --keep 100 --dry-run

        A run may use the store at the same time. The file keeps its size and reuses freed space; --vacuum shrinks it, which \
        temporarily needs as much space again. Prints a summary to standard error; with --format ndjson, as JSON to standard output.
        """

    package static let devices = """
        Events in the stream and run --devices register devices. Name the store with --store, as the first argument, or with \
        PUSHPIPE_STORE. Several stores, or a folder of them, are read as one.

          pushpipe devices list phone.db > devices.ndjson
          pushpipe run --devices devices.ndjson payloads.ndjson
        """
}
