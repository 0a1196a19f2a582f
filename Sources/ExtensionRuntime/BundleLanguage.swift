import Foundation

/// The language in which a bundle's texts are looked up.
///
/// On Linux, Foundation looks in the folder that `CFBundleDevelopmentRegion` names and in no other: neither the environment nor defaults choose
/// one. So the language is chosen by changing that entry of the main bundle's information before the first text is looked up, through
/// functions of Core Foundation that Foundation for Linux exports without declaring them to Swift.
enum BundleLanguage {
    private typealias GetBundle = @convention(c) () -> UnsafeRawPointer?
    private typealias GetInformation = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
    private typealias SetValue = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> Void

    /// Chooses a folder of texts by its name without `.lproj`. False when that cannot be done.
    static func choose(_ language: String) -> Bool {
        guard let getBundle = function("CFBundleGetMainBundle", as: GetBundle.self),
            let getInformation = function("CFBundleGetInfoDictionary", as: GetInformation.self),
            let setValue = function("CFDictionarySetValue", as: SetValue.self),
            let bundle = getBundle(), let information = getInformation(bundle)
        else { return false }
        // For ever: the dictionary keeps them as long as the process lives.
        let key = Unmanaged.passRetained(NSString(string: "CFBundleDevelopmentRegion")).toOpaque()
        let value = Unmanaged.passRetained(NSString(string: language)).toOpaque()
        setValue(information, key, value)
        return true
    }

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        // Nil stands for the whole program.
        guard let address = dlsym(nil, name) else { return nil }
        // SOUND: the types above are those of Core Foundation's headers.
        return unsafeBitCast(address, to: type)
    }
}
