#if os(Linux)
    /// The number of a sound.
    public typealias SystemSoundID = UInt32

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The vibration.
    public let kSystemSoundID_Vibrate: SystemSoundID = 4095

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Would play a sound; an extension is never heard, here and most often on a device.
    public func AudioServicesPlaySystemSound(_ sound: SystemSoundID) {}

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Would play a sound.
    public func AudioServicesPlayAlertSound(_ sound: SystemSoundID) {}

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Would play a sound; calls the closure.
    public func AudioServicesPlaySystemSoundWithCompletion(_ sound: SystemSoundID, _ completion: (() -> Void)?) {
        completion?()
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Would play a sound; calls the closure.
    public func AudioServicesPlayAlertSoundWithCompletion(_ sound: SystemSoundID, _ completion: (() -> Void)?) {
        completion?()
    }
#endif
