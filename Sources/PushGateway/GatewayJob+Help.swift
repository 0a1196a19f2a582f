extension GatewayJob {
    /// What the help of `pushpipe serve` says.
    package static let help = """
        Listens for APNs requests, with and without TLS, over HTTP/2 or HTTP/1.1, and treats each as a record of run: checks it, delivers \
        it, writes a report line, and answers with APNs' status and reason. Serves until SIGINT, SIGTERM or SIGHUP; then answers what is \
        in flight, and prints a summary to standard error. A browser at http://127.0.0.1:2197/ shows the devices and why a push did not appear.

          pushpipe serve --store phone.db
          curl --http2-prior-knowledge -H apns-topic:org.example.app \\
            -d '{"aps":{"alert":"Hi"}}' http://127.0.0.1:2197/3/device/ab12
        """
}
