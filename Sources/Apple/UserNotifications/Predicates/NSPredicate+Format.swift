#if os(Linux)
    public import Foundation

    // Foundation for Linux has predicates of closures only.

    extension NSPredicate {
        /// A predicate by its format, with arguments in place of `%@`, `%K`, `%d` and the like.
        ///
        /// A format that cannot be read ends the process, as Apple's exception does; so does an object that the predicate cannot be applied
        /// to. `Documentation/reference/usernotifications.md` has the parts of a format.
        public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
            self.init(format: predicateFormat, reading: args)
        }

        /// A predicate by its format, with arguments from an array.
        public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            self.init(format: predicateFormat, reading: arguments ?? [])
        }

        private convenience init(format: String, reading arguments: [Any]) {
            let node: PredicateNode
            do throws(PredicateFailure) {
                node = try PredicateParser.parse(format, arguments)
            } catch {
                RaisedException.raise("Unable to parse the format string \"\(format)\": \(error.reason)")
            }
            nonisolated(unsafe) let parsed = node
            self.init(block: { object, variables in
                do throws(PredicateFailure) {
                    return try PredicateEvaluation(object: object, variables: variables ?? [:]).holds(parsed)
                } catch {
                    RaisedException.raise(error.reason)
                }
            })
        }
    }

    /// Errors for which Apple's Foundation raises an exception that no Swift code can catch: it ends the process there, too.
    enum RaisedException {
        /// Ends the process and says why.
        static func raise(_ reason: String) -> Never {
            let line =
                "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(reason)'\n"
            FileHandle.standardError.write(Data(line.utf8))
            abort()
        }
    }

    // Foundation's overlay for Apple's systems makes arguments of these.

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The array as Foundation's.
        public var _cVarArgObject: any CVarArg { NSArray(array: self).description._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The dictionary as Foundation's.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The set as text.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The date as text.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The identifier as text.
        public var _cVarArgObject: any CVarArg { uuidString._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The address as text.
        public var _cVarArgObject: any CVarArg { absoluteString._cVarArgObject }
    }
#endif
