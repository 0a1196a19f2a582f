@_exported public import PushDecoding
@_exported public import PushFraming
// `import PushLint` suffices: the modules whose types its API uses come along.
@_exported public import PushJSON
@_exported public import PushModel
