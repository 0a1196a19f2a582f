import PushCommand

// The command without `serve` and the page of `view`. It builds without SwiftNIO and BoringSSL, so in half the time.
CommandProcess.main(over: nil)
