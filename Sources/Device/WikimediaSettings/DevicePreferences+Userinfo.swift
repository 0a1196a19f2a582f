package import AppSimulation
package import PayloadJSON

extension DevicePreferences {
    /// Replaces the settings of an account, and logs it in, with a wiki's answer. Options missing from the answer are
    /// off.
    ///
    /// - Parameter wiki: the wiki that answered; nil for the account's own wiki.
    package mutating func adopt(
        _ options: UserinfoAnswer.UserOptions, of account: String, at wiki: String?, _ table: NotificationTypeTable
    ) {
        let primary = wiki ?? accounts[account]?.primarySite ?? SettingsChange.defaultWiki
        var preferences = accounts[account] ?? NotificationPreferences(primarySite: primary)
        preferences.primarySite = primary
        preferences.current = options.on.intersection(table.types)
        accounts[account] = preferences
        if self.account != account { registration = .none }
        self.account = account
    }

    /// The requests to API:Options that copy this device's settings to a wiki, with every switch of the table.
    package func optionsRequests(_ table: NotificationTypeTable) -> [OptionsRequest] {
        OptionsRequest.requests(
            for: table.rows.compactMap { OptionsRequest.Change($0.type, isOn: typesOn.contains($0.type)) })
    }

    /// Appends an answer to API:Userinfo, format version 2, with every switch of the table.
    package func appendUserinfo(of account: String, _ table: NotificationTypeTable, to out: inout ByteBuffer) {
        out.append(#"{"batchcomplete":true,"query":{"userinfo":{"name":"#)
        out.appendJSONString(account)
        out.append(#","options":{"#)
        for (index, row) in table.rows.enumerated() {
            if index > 0 { out.append(",") }
            out.appendJSONString(row.type.option)
            out.appendText(":\(typesOn.contains(row.type))")
        }
        out.append("}}}}\n")
    }
}
