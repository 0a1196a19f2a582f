#if os(Linux)
    import Foundation

    /// The language in which a bundle's texts are looked up.
    ///
    /// On Linux, Foundation reads only the folder that `CFBundleDevelopmentRegion` names, whatever the environment or defaults say. So the
    /// language is set by changing that entry of the main bundle's dictionary before the first lookup, with functions of Core Foundation that
    /// Foundation for Linux exports without declaring them to Swift.
    enum BundleLanguage {
        private typealias GetBundle = @convention(c) () -> UnsafeRawPointer?
        private typealias GetInformation = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
        private typealias SetValue = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> Void

        /// Chooses the folder `NAME.lproj`. Returns false if that is not possible.
        static func choose(_ language: String) -> Bool {
            guard let getBundle = function("CFBundleGetMainBundle", as: GetBundle.self),
                let getInformation = function("CFBundleGetInfoDictionary", as: GetInformation.self),
                let setValue = function("CFDictionarySetValue", as: SetValue.self),
                let bundle = getBundle(), let information = getInformation(bundle)
            else { return false }
            // Never released: the dictionary keeps them for the life of the process.
            let key = Unmanaged.passRetained(NSString(string: "CFBundleDevelopmentRegion")).toOpaque()
            let value = Unmanaged.passRetained(NSString(string: language)).toOpaque()
            setValue(information, key, value)
            return true
        }

        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            // Nil is the main program.
            guard let address = dlsym(nil, name) else { return nil }
            // SOUND: the types above are those of Core Foundation's headers.
            return unsafeBitCast(address, to: type)
        }
    }
#endif
