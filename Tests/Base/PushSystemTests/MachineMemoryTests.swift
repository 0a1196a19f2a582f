import PushSystem
import Testing

struct MachineMemoryTests {
    @Test func `this machine has memory`() {
        #expect(MachineMemory.byteCount > 64 << 20)
    }

    @Test func `the smallest limit of a control group and those above it counts`() {
        let files = [
            "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "1073741824\n",
            "/sys/fs/cgroup/memory.max": "8589934592\n",
        ]
        #expect(MachineMemory.groupLimit(groups: "0::/a/b\n") { files[$0] } == 1_073_741_824)
        #expect(MachineMemory.groupLimit(groups: "0::/c\n") { files[$0] } == 8_589_934_592)
        #expect(MachineMemory.groupLimit(groups: "0::/\n") { files[$0] } == 8_589_934_592)
    }

    @Test func `the first version of control groups has a tree for memory`() {
        let files = ["/sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "536870912\n"]
        let groups = "5:cpu,cpuacct:/docker\n4:memory:/docker\n1:name=systemd:/docker\n"
        #expect(MachineMemory.groupLimit(groups: groups) { files[$0] } == 536_870_912)
    }

    @Test(arguments: ["", "nonsense\n", "0::/a\n"])
    func `without a limit there is none`(groups: String) {
        #expect(MachineMemory.groupLimit(groups: groups) { _ in nil } == nil)
    }
}
