import PushText
import ScreenPictures

/// A page of HTML with a picture and its text. It loads nothing and runs nothing.
enum HTMLPage {
    static func text(of picture: Picture) -> String {
        let title = XMLText.attribute(PictureText.line(picture.title))
        let lines = PictureText.paragraphs(picture.description, most: 20_000)
            .map { "<li dir=\"auto\">\(XMLText.attribute($0))</li>" }.joined(separator: "\n")
        let light = PictureTheme.paint(.page).light.css
        let dark = PictureTheme.paint(.page).dark.css
        let ink = PictureTheme.paint(.ink).light.css
        let darkInk = PictureTheme.paint(.ink).dark.css
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <title>\(title)</title>
            <style>
            body{margin:0;padding:1rem;background:\(light);color:\(ink);font:15px/1.5 \(PictureTheme.appleFonts)}
            @media (prefers-color-scheme:dark){body{background:\(dark);color:\(darkInk)}}
            figure{margin:0;overflow-x:auto;text-align:center}
            details{max-width:50rem;margin:1rem auto;overflow-wrap:anywhere}
            ul{list-style:none;padding:0}
            </style>
            </head>
            <body>
            <figure>
            \(picture.svg)</figure>
            <details>
            <summary>The picture as text</summary>
            <ul>
            \(lines)
            </ul>
            </details>
            </body>
            </html>

            """
    }
}
