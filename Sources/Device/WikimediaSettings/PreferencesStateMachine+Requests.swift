import AppSimulation
import PushSystem

extension PreferencesStateMachine {
    /// Sends the request for the work, or first a request for the token that it needs.
    mutating func start(_ work: PreferencesSession.Work, isSecondTry: Bool, _ effects: inout [Effect]) {
        guard let session else { return }
        // The primary language has changed again: nothing more is written to a wiki that was never reached.
        if let target = work.wiki, session.move?.to != target { return }
        let wiki = work.wiki ?? session.wiki
        let csrfToken = session.csrfTokens[wiki]
        let isForToken = work.needsToken && csrfToken == nil
        let id = nextRequest()
        self.session?.request = .init(id: id, work: work, isForToken: isForToken, isSecondTry: isSecondTry)
        if isForToken { return effects.append(.fetchToken(id, wiki: wiki)) }
        let token = csrfToken ?? ""
        switch work {
        case .read, .readTarget:
            self.session?.needsRead = work == .read ? false : session.needsRead
            effects.append(.requestUserinfo(id, wiki: wiki))
        case .reset(let types):
            effects.append(.writeOptions(id, wiki: wiki, changes: Self.switchingOff(types), csrfToken: token))
        case .write(let changes), .writeTarget(_, let changes):
            effects.append(.writeOptions(id, wiki: wiki, changes: changes, csrfToken: token))
        case .subscribe(let deviceToken):
            effects.append(.subscribe(id, wiki: wiki, deviceToken: deviceToken, csrfToken: token))
        }
    }

    /// Handles the answer to a request, unless it is stale: a duplicate, too late, or after a logout.
    mutating func take(_ answer: Answer, to id: RequestID, _ effects: inout [Effect]) {
        guard let request = session?.request, request.id == id else { return }
        session?.request = nil
        let wiki = request.work.wiki ?? session?.wiki ?? ""
        switch answer {
        case .error(code: "notloggedin"): sessionEnded(&effects)
        case .error(code: "badtoken") where request.work.needsToken && !request.isForToken && !request.isSecondTry:
            session?.csrfTokens[wiki] = nil
            start(request.work, isSecondTry: true, &effects)
        case .error(code: "echo-push-token-exists"):
            // The server already has the token.
            if case .subscribe = request.work, !request.isForToken {
                finish(request.work, warnings: [], &effects)
            } else {
                fail(request, .error(code: "echo-push-token-exists"), &effects)
            }
        case .token(let token):
            guard request.isForToken else { return fail(request, .lost, &effects) }
            session?.csrfTokens[wiki] = token
            start(request.work, isSecondTry: request.isSecondTry, &effects)
        case .userOptions(let on):
            let ours = on.intersection(table.types)
            switch request.work {
            case .read:
                session?.known = ours
                session?.isStale = false
                finishReset(&effects)
            case .readTarget(let wiki) where session?.move?.to == wiki: session?.move?.known = ours
            // The primary language has changed again since.
            case .readTarget: break
            case .reset, .write, .writeTarget, .subscribe: fail(request, .lost, &effects)
            }
        case .success(let warnings):
            guard request.work.needsToken, !request.isForToken else { return fail(request, .lost, &effects) }
            finish(request.work, warnings: warnings, &effects)
        case .error, .lost: fail(request, answer, &effects)
        }
    }

    // MARK: - Success

    private mutating func finish(
        _ work: PreferencesSession.Work, warnings: [String], _ effects: inout [Effect]
    ) {
        switch work {
        case .subscribe(let token):
            if session?.registration == .subscribing(token) {
                session?.registration = .registered(token)
            } else if let session, session.wantsPush == false, let csrf = session.csrfTokens[session.wiki] {
                // The user has switched pushes off meanwhile.
                effects.append(.unsubscribe(wiki: session.wiki, deviceToken: token, csrfToken: csrf))
            }
        case .reset(let types):
            let refused = Self.refused(of: Self.switchingOff(types), warnings)
            session?.known.subtract(Set(types).subtracting(refused))
            session?.reset?.types.removeAll { types.contains($0) }
            session?.reset?.refused.formUnion(refused)
            if !refused.isEmpty { session?.reset?.warning = warnings.joined(separator: " ") }
            // Success does not prove that an option was taken.
            session?.needsRead = true
        case .write(let changes):
            let refused = Self.refused(of: changes, warnings)
            for (type, isOn) in changes where !refused.contains(type) { session?.take(type, isOn) }
            // Options that no warning named may have been rejected too; only the wiki knows.
            if !warnings.isEmpty { readBack() }
            if !refused.isEmpty {
                rollBack(changes.filter { refused.contains($0.key) }, warnings.joined(separator: " "), &effects)
            }
        case .writeTarget(let wiki, let changes):
            guard session?.move?.to == wiki else { return }
            if !warnings.isEmpty { session?.move?.hasWarnings = true }
            guard Self.refused(of: changes, warnings).isEmpty else {
                return abandonMove()
            }
            for (type, isOn) in changes {
                if isOn { session?.move?.known?.insert(type) } else { session?.move?.known?.remove(type) }
            }
        case .read, .readTarget: break
        }
    }

    private static func switchingOff(_ types: [NotificationType]) -> [NotificationType: Bool] {
        Dictionary(types.map { ($0, false) }) { first, _ in first }
    }

    /// The wiki's settings have been read. An option that it refused to change is an error only if it is on: wikis do
    /// not have all options.
    private mutating func finishReset(_ effects: inout [Effect]) {
        guard let reset = session?.reset, reset.types.isEmpty else { return }
        session?.reset = nil
        let on = reset.refused.filter { session?.known.contains($0) == true }.sorted()
        if !on.isEmpty { effects.append(.showError(.cannotWrite(on, reason: reset.warning))) }
    }

    /// The changes whose options a warning names.
    private static func refused(
        of changes: [NotificationType: Bool], _ warnings: [String]
    ) -> Set<NotificationType> {
        Set(changes.keys.filter { type in warnings.contains { OptionWarning.names(type.option, in: $0) } })
    }

    /// Makes the other wiki the primary one once it has the same settings.
    mutating func finishMove() {
        guard let session, let move = session.move, !session.isStale, session.request == nil,
            let known = move.known, known == session.known
        else { return }
        self.session?.wiki = move.to
        self.session?.move = nil
        if move.hasWarnings { self.session?.needsRead = true }
    }

    // MARK: - Failure

    private mutating func fail(
        _ request: PreferencesSession.Request, _ answer: Answer, _ effects: inout [Effect]
    ) {
        let reason: String
        var isUncertain = false
        if case .error(let code) = answer {
            reason = code
            let wiki = request.work.wiki ?? session?.wiki ?? ""
            if code == "badtoken" { session?.csrfTokens[wiki] = nil }
        } else {
            reason = "there was no answer that could be read"
            isUncertain = !request.isForToken
        }
        switch request.work {
        case .read:
            session?.isStale = true
            effects.append(.showError(.cannotRead(reason: reason)))
            // Settings that may be stale are not copied.
            abandonMove()
        case .reset:
            if isUncertain { readBack() }
            session?.reset?.hasFailed = true
            effects.append(.showError(.cannotSwitchOff(reason: reason)))
        case .write(let changes):
            if isUncertain { readBack() }
            rollBack(changes, reason, &effects)
        case .subscribe(let token):
            if session?.registration == .subscribing(token) {
                registrationFailed(.subscriptionFailed(reason: reason), .subscriptionFailed(reason: reason), &effects)
            }
        case .readTarget(let wiki), .writeTarget(let wiki, _):
            if session?.move?.to == wiki { abandonMove() }
        }
    }

    /// The wiki's settings are uncertain now: reads them again.
    private mutating func readBack() {
        session?.needsRead = true
        session?.isStale = true
    }

    /// Drops changes that failed, unless the user has changed them again since.
    private mutating func rollBack(
        _ changes: [NotificationType: Bool], _ reason: String, _ effects: inout [Effect]
    ) {
        let given = changes.filter { session?.wanted[$0] == $1 }.keys.sorted()
        for type in given { session?.wanted[type] = nil }
        if !given.isEmpty { effects.append(.showError(.cannotWrite(given, reason: reason))) }
    }

    /// Goes on with the other wiki, whose settings the screen shows when it is opened the next time.
    private mutating func abandonMove() {
        guard let move = session?.move else { return }
        session?.wiki = move.to
        session?.move = nil
        session?.isStale = true
    }
}

extension PreferencesSession {
    /// Notes that the wiki accepted a change.
    mutating func take(_ type: NotificationType, _ isOn: Bool) {
        if isOn { known.insert(type) } else { known.remove(type) }
        if wanted[type] == isOn { wanted[type] = nil }
    }
}

extension PreferencesSession.Work {
    /// The wiki that a request goes to if it is not the primary one.
    var wiki: String? {
        switch self {
        case .readTarget(let wiki), .writeTarget(let wiki, _): wiki
        case .read, .reset, .write, .subscribe: nil
        }
    }
}

/// Warnings of API:Options: `Validation error for "x": not a valid preference.`
enum OptionWarning {
    /// True if the text names this option, and not a longer one with the same prefix or suffix.
    static func names(_ option: String, in text: String) -> Bool {
        let text = Array(text.utf8)
        let option = Array(option.utf8)
        guard !option.isEmpty, text.count >= option.count else { return false }
        for start in 0...(text.count - option.count) {
            let end = start + option.count
            guard text[start..<end].elementsEqual(option) else { continue }
            if start > 0, isPartOfName(text[start - 1]) { continue }
            if end < text.count, isPartOfName(text[end]) { continue }
            return true
        }
        return false
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte.isDigit || byte.isLetter
            || byte >= 0x80
    }
}
