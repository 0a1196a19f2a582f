/// The windows in which a run counts pushes, as a store keeps them for a run that is resumed.
extension DeviceRegistry {
    /// Begins a run: a resumed one continues the windows of the interrupted one, any other begins new ones.
    package func beginRun(isResumed: Bool) throws {
        guard let rows else { return }
        for kind in RateKind.allCases {
            self[kind].noteChanges()
            guard isResumed else { continue }
            try rows.forEachRateWindow(of: kind) { name, window in self[kind].restore(window, of: name) }
        }
        if !isResumed { try rows.deleteRateWindows() }
    }

    /// Passes the windows that have changed since the last call to a store.
    package func takeRateChanges(_ body: (RateKind, RateChanges) throws -> Void) rethrows {
        for kind in RateKind.allCases {
            let changes = self[kind].takeChanges()
            if !changes.windows.isEmpty || changes.closedSince != nil { try body(kind, changes) }
        }
    }

    private subscript(_ kind: RateKind) -> RateTable {
        get {
            switch kind {
            case .token: tokenRates
            case .sender: senderRates
            case .background: backgroundRates
            }
        }
        _modify {
            switch kind {
            case .token: yield &tokenRates
            case .sender: yield &senderRates
            case .background: yield &backgroundRates
            }
        }
    }
}
