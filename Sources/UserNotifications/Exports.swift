#if os(Linux)
    // Extensions import UserNotifications alone and use what comes with it on Apple's systems: URLSession, DispatchQueue, Data.
    @_exported public import Dispatch
    @_exported public import Foundation
    @_exported public import FoundationNetworking
#endif
