import PushConsole
import ScreenPictures

/// The web console: `/` and what is below `/console/`. The page asks the API for everything that it shows, so it needs no key itself.
final class ConsoleService: GatewayService {
    let isLogged = false

    /// Colors and sizes of pictures, so that the page's devices look as those in files.
    static let theme = ConsoleFile(name: "picture.css", bytes: Array(PictureTheme.css.utf8))

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let path = String(request.path.prefix { $0 != "?" })
        let isTheme = path == ConsoleFile.folder + Self.theme.name
        guard let file = isTheme ? Self.theme : ConsoleFile.at(path) else { return nil }
        let headers = ConsoleFile.headers.map { HeaderField($0.name, $0.value) } + [HeaderField("etag", file.tag)]
        // RFC 9110, section 13.1.2. Caches may have made the tag a weak one.
        let known = request.header("if-none-match")?.split(separator: ",").map { tag in
            tag.trimming { $0 == " " }.replacing("W/", with: "", maxReplacements: 1)
        }
        if known?.contains(file.tag) == true { return .answer(GatewayAnswer(status: 304, headers: headers)) }
        return .answer(
            GatewayAnswer(
                status: 200, headers: [HeaderField("content-type", file.type)] + headers, body: file.bytes))
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
        let start = drop(while: isBlank)
        return String(start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? "")
    }
}

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
