// The types of the report, so that a test needs one import.
@_exported public import struct PushModel.DeviceEvent
@_exported public import enum PushModel.Outcome
@_exported public import enum PushModel.Platform
@_exported public import struct PushModel.PushReport
