// `import PushLint` suffices: the modules whose types its API uses come along.
@_exported public import PayloadJSON
@_exported public import PushDecoding
@_exported public import PushModel
@_exported public import RecordFraming
