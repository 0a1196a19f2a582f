// A configuration is of no use without the linter.
@_exported public import PushLint
