/// Addresses of this machine and of private networks.
package enum LocalAddress {
    /// True if an address of HTTP leads to this machine or a private network, as far as its text says so: a name is not resolved. Also for
    /// an address in numbers that are not four decimal ones, which programs read in different ways.
    ///
    /// Source: RFC 6890, "Special-Purpose IP Address Registries"; RFC 6761 for `localhost`.
    package static func isLocal(_ address: String) -> Bool {
        let host = host(of: address)
        if host.hasPrefix("[") { return isLocal(ofVersion6: host.dropFirst().prefix { $0 != "]" }) }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") || name.isEmpty {
            return true
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, let first = last.first, first.isASCII, first.isNumber else { return false }
        let numbers = labels.map { UInt8($0) }
        guard numbers.count == 4, !labels.contains(where: { $0.count > 1 && $0.hasPrefix("0") }), let one = numbers[0],
            let two = numbers[1], numbers[2] != nil, numbers[3] != nil
        else { return true }
        switch one {
        case 0, 10, 127: return true
        case 100: return (64...127).contains(two)
        case 169: return two == 254
        case 172: return (16...31).contains(two)
        case 192: return two == 168
        default: return one >= 224
        }
    }

    /// In lower case, an address of version 6 with its brackets: `example.org` for `https://user@Example.org:8080/a`.
    private static func host(of address: String) -> String {
        let rest = address.firstRange(of: "//").map { address[$0.upperBound...] } ?? ""
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
            .lowercased()
        if place.hasPrefix("[") { return place }
        return String(place.prefix { $0 != ":" })
    }

    private static func isLocal(ofVersion6 text: Substring) -> Bool {
        // `::`, `::1` and addresses of version 4 in those of version 6; unique local, link-local and multicast ones.
        text.hasPrefix("::")
            || ["fc", "fd", "fe8", "fe9", "fea", "feb", "ff", "0:", "0000:", "64:ff9b"].contains { text.hasPrefix($0) }
    }
}
