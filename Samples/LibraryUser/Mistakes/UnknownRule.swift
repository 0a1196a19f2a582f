// error: type 'RuleID' has no member 'apsMispelledKey'
import PushLint

let rule = RuleID.apsMispelledKey
