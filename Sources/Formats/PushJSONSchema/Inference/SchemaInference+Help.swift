extension SchemaInference {
    /// What the help of `pushpipe schema infer` says.
    package static let help = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. The schema lists the properties with their types, \
        requires those that every payload has, and names the formats date-time, date, uuid and uri where all strings have it. What \
        Apple defines, aps, is left out.

          pushpipe schema infer pushes.ndjson > push.schema.json
          pushpipe lint --schema push.schema.json pushes.ndjson
        """
}
