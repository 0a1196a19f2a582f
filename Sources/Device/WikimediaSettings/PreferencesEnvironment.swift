package import AppSimulation

/// Answers the effects of a `PreferencesStateMachine` in a simulation: the user, the system and the wikis.
package protocol PreferencesEnvironment {
    /// The user's answer when the system asks for permission.
    var allowsNotifications: Bool { get }
    /// Why the system provides no token; nil when it does.
    var registrationFailure: String? { get }
    /// The answer of the server that sends pushes when it does not take the token; nil when it does.
    var subscriptionFailure: PreferencesStateMachine.Answer? { get }

    func read(from wiki: String) -> PreferencesStateMachine.Answer

    /// Handles a request that changes types at a wiki.
    mutating func write(_ changes: [NotificationType: Bool], to wiki: String) -> PreferencesStateMachine.Answer
}

extension PreferencesEnvironment {
    /// The token that a wiki gives to anonymous users. Nothing checks it here.
    package static var csrfToken: String { "+\\" }

    /// - Returns: the event that answers an effect; nil for effects that need no answer.
    package mutating func answer(to effect: PreferencesStateMachine.Effect) -> PreferencesStateMachine.Event? {
        switch effect {
        case .askForPermission: .permissionAnswered(isGranted: allowsNotifications)
        case .register:
            registrationFailure.map { .registrationFailed(reason: $0) } ?? .registrationSucceeded(token: "device")
        case .fetchToken(let id, _): .answered(id, .token(Self.csrfToken))
        case .requestUserinfo(let id, let wiki): .answered(id, read(from: wiki))
        case .writeOptions(let id, let wiki, let changes, _): .answered(id, write(changes, to: wiki))
        case .subscribe(let id, _, _, _):
            .answered(id, subscriptionFailure ?? .success(warnings: []))
        case .unsubscribe, .showToggle, .showError: nil
        }
    }
}

extension PreferencesStateMachine.Answer {
    /// The types that are on at a wiki that gives this answer to a request for changes.
    ///
    /// Source: API:Options. With a warning, the options that it names are not changed, and the others are. An error
    /// changes nothing; here, neither does a request whose answer is lost.
    package func result(
        of changes: [NotificationType: Bool], on types: Set<NotificationType>
    ) -> Set<NotificationType> {
        guard case .success(let warnings) = self else { return types }
        var types = types
        for (type, isOn) in changes where !warnings.contains(where: { OptionWarning.names(type.option, in: $0) }) {
            if isOn { types.insert(type) } else { types.remove(type) }
        }
        return types
    }
}
