extension GatewayJob {
    /// The output of `pushpipe serve --faults examples`: a file with every key. All rules but the first are comments.
    package static let faultExamples = """
        # Fault rules for pushpipe serve --faults FILE. The first rule that takes a request decides about it.
        #
        # Which requests:  device, topic, path    texts with * and ?
        # Which of those:  every: 3               each third one
        #                  rate: 100/s            those over a rate (also 5/10s)
        #                  probability: 0.05      by chance, the same in every run; seed: 7 gives another sequence
        #                  after: 10s, for: 1m    only in this time
        #                  times: 2               only so often
        # What happens:    reason                 refused, in the words of APNs, FCM, GCM or Expo
        #                  status, retry_after    in place of the reason's status; seconds
        #                  delay: 250ms           before the answer
        #                  goaway: Shutdown       answered, and the connection goes away with this reason
        #                  reset: REFUSED_STREAM  delivered, and the stream reset in place of an answer
        #                  cut: true              delivered, and the connection closed in place of an answer
        #                  silence: true          delivered, and never answered
        #                  pause: 5s              answered, and nothing read from the connection for a time
        # With a reason, nothing is delivered.

        # A token that is gone.
        - device: dead*
          reason: Unregistered

        # More than 100 requests a second.
        # - rate: 100/s
        #   reason: TooManyRequests
        #   retry_after: 5

        # Every tenth push to one app fails at the server.
        # - topic: org.example.app
        #   every: 10
        #   status: 503

        # A slow and unreliable service: one in twenty answers is late, one in a hundred is lost.
        # - probability: 0.01
        #   cut: true
        # - probability: 0.05
        #   delay: 2s

        # Maintenance, ten seconds after the start: each connection is sent away once.
        # - after: 10s
        #   every: 50
        #   goaway: Shutdown

        """
}
