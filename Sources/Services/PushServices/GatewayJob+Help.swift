extension GatewayJob {
    /// What the help of `pushpipe serve` says.
    package static let help = """
        Listens for requests to APNs, FCM and others, with and without TLS, over HTTP/2 or HTTP/1.1. Treats each as a record \
        of run: checks it, delivers it, writes a report line, and answers with the provider's status and reason. On SIGINT, \
        SIGTERM or SIGHUP, answers the requests in flight and prints a summary to standard error. A browser at \
        http://127.0.0.1:2197/ shows the devices and why a push did not appear.

          pushpipe serve --store phone.db
          curl --http2-prior-knowledge -H apns-topic:org.example.app \\
            -d '{"aps":{"alert":"Hi"}}' http://127.0.0.1:2197/3/device/ab12
        """
}
