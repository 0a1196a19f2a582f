extension PartitionJob {
    /// What the help of `pushpipe partition` says.
    package static let help = """
        Reads each FILE in turn, or standard input if there is none or FILE is -, and writes each record to the part of its device, with its \
        place in the input. pushpipe run takes a part as it is: its report and its store have the lines and rows that one run of everything \
        would have for the devices of this part. pushpipe merge joins the reports, and pushpipe store merge the stores.

          pushpipe partition day.ndjson --parts 64 --output parts
          pushpipe run parts/part-00007.ndjson > reports/part-00007.ndjson
          pushpipe merge reports > report.ndjson

        A request with targets in several parts becomes one record for each target, and a message to a topic one for each subscriber that the \
        stream or --devices names. With --key-column, an engine divides the lines by the first column and sorts them by the next two, as \
        numbers. Give run the other options that the whole input needs, without --framing, --at and --skip-prefix.

        Exit status: 0 on success, 2 for a usage error, unreadable input or a part that cannot be written; 128 plus the signal number after \
        an orderly stop. A part without its last line is incomplete.
        """
}

extension MergeJob {
    /// What the help of `pushpipe merge` says.
    package static let help = """
        Merges the NDJSON reports of all parts that pushpipe partition has made of an input into the report of one run, on standard output. \
        In a folder, reads the files that end in .ndjson. Each report is read once, from its beginning to its end, so it may be a pipe.

          pushpipe merge reports/ > report.ndjson
          pushpipe merge reports/ | jq 'select(.outcome == "rejected")'
        """
}
