import TestSupport
import Testing

/// `serve` on a disk that fills up while pushes come.
@Suite(.enabled(if: !Machine.isSanitized, "a sanitizer has files of its own for memory"))
struct FullDiskServeTests {
    /// Every push that was answered with 200 is in the store, and no other.
    @Test(.enabled(if: Machine.canMount, "needs the right to mount a file system"))
    func `a gateway ends when the disk is full, and has stored what it has accepted`() throws {
        let folder = try Folder()
        let output = try folder.shell(
            """
            mkdir disk
            unshare --mount bash -c 'mount -t tmpfs -o size=1000k none disk
                pushpipe serve --listen 127.0.0.1:0 --store disk/s.db > report 2> notes & gateway=$!
                until port=$(grep -oE "http://127.0.0.1:[0-9]+" notes); do kill -0 $gateway || { cat notes >&2; exit; }; done
                accepted=0
                text=$(head -c 2500 /dev/zero | tr "\\0" x)
                while [[ $(curl -s -o /dev/null -w "%{http_code}" -H apns-topic:org.a \
                    -d "{\\"aps\\":{\\"alert\\":\\"Hi\\"},\\"text\\":\\"$text\\"}" $port/3/device/ab12) == 200 ]]; do
                    accepted=$((accepted + 1))
                done
                wait $gateway; echo $? $accepted; cp disk/s.db* .'
            """)
        let numbers = output.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 2, "\(output.text) \(output.stderr)")
        #expect(numbers[0] == 2 && numbers[1] > 0)
        #expect(try folder.read("notes").contains("no room left on the disk"))
        let stored = try folder.pushpipe("store", "events", "s.db").lines.count { $0.contains("\"delivered\"") }
        #expect(stored == numbers[1])
        try folder.expectConsistent("s.db")
    }
}
