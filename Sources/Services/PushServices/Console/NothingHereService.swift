/// Answers 404 for unknown paths of `pushpipe view`, which is no push service.
final class NothingHereService: GatewayService {
    let isLogged = false

    private static let error = APIError(
        status: 404,
        message:
            "pushpipe view has no such path: / is the page, GET /api/v1/openapi.json lists the API, and pushes need pushpipe serve"
    )

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? { .answer(Self.error.answer) }
}
