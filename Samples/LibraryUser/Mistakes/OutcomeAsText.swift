// error: requires that 'Outcome' conform to 'StringProtocol'
import PushPipeline

func isDelivered(_ report: PushReport) -> Bool { report.outcome == "delivered" }
