// `import PushPipeline` is enough: the types of its API come along.
@_exported public import ExtensionHosting
@_exported public import PushDecoding
@_exported public import PushDevices
@_exported public import PushFraming
@_exported public import PushJSON
@_exported public import PushModel
@_exported public import PushRedaction
