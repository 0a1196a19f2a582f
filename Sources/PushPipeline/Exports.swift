// Whoever imports the library product gets its vocabulary with it: messages, outcomes, stores, views of JSON.
@_exported public import DeliveredStore
@_exported public import DeviceSimulation
@_exported public import ExtensionHost
@_exported public import PayloadJSON
@_exported public import PushModel
@_exported public import RecordFraming
