#if os(Linux)
    /// A type of file that a notification can show: a row of the table below.
    struct AttachmentType {
        /// The kinds of files, and how large they may be.
        enum Kind {
            case image
            case audio
            case movie

            /// The largest file, in bytes.
            var byteLimit: Int {
                switch self {
                case .image: 10 * 1024 * 1024  // 10 MiB
                case .audio: 5 * 1024 * 1024  // 5 MiB
                case .movie: 50 * 1024 * 1024  // 50 MiB
                }
            }
        }

        /// Uniform type identifier.
        let identifier: String
        let kind: Kind
        /// Extensions of file names, lower case.
        let extensions: [String]
        /// The possible first bytes of such a file.
        let signatures: [FileSignature]

        /// The formats that Apple's documentation lists.
        static let all = [
            AttachmentType(
                identifier: "public.jpeg", kind: .image, extensions: ["jpg", "jpeg", "jpe"],
                signatures: [.bytes([0xFF, 0xD8, 0xFF])]),
            AttachmentType(
                identifier: "com.compuserve.gif", kind: .image, extensions: ["gif"],
                signatures: [.text("GIF87a"), .text("GIF89a")]),
            AttachmentType(
                identifier: "public.png", kind: .image, extensions: ["png"],
                signatures: [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])]),
            AttachmentType(
                identifier: "public.aiff-audio", kind: .audio, extensions: ["aiff", "aif"],
                signatures: [.chunk("FORM", form: "AIFF"), .chunk("FORM", form: "AIFC")]),
            AttachmentType(
                identifier: "public.aifc-audio", kind: .audio, extensions: ["aifc"],
                signatures: [.chunk("FORM", form: "AIFC")]),
            AttachmentType(
                identifier: "com.microsoft.waveform-audio", kind: .audio, extensions: ["wav", "wave"],
                signatures: [.chunk("RIFF", form: "WAVE")]),
            AttachmentType(
                identifier: "public.mp3", kind: .audio, extensions: ["mp3"],
                signatures: [
                    .text("ID3"), .bytes([0xFF, 0xFB]), .bytes([0xFF, 0xFA]), .bytes([0xFF, 0xF3]),
                    .bytes([0xFF, 0xF2]),
                    .bytes([0xFF, 0xE3]), .bytes([0xFF, 0xE2]),
                ]),
            AttachmentType(
                identifier: "public.mpeg-4-audio", kind: .audio, extensions: [], signatures: [.text("ftyp", at: 4)]),
            AttachmentType(
                identifier: "com.apple.m4a-audio", kind: .audio, extensions: ["m4a"], signatures: [.text("ftyp", at: 4)]
            ),
            AttachmentType(
                identifier: "public.mpeg", kind: .movie, extensions: ["mpg", "mpeg", "m75", "m15"],
                signatures: [.bytes([0, 0, 1, 0xBA]), .bytes([0, 0, 1, 0xB3])]),
            AttachmentType(
                identifier: "public.mpeg-2-video", kind: .movie, extensions: ["m2v"],
                signatures: [.bytes([0, 0, 1, 0xBA]), .bytes([0, 0, 1, 0xB3])]),
            AttachmentType(
                identifier: "public.mpeg-4", kind: .movie, extensions: ["mp4"], signatures: [.text("ftyp", at: 4)]),
            AttachmentType(
                identifier: "public.avi", kind: .movie, extensions: ["avi"], signatures: [.chunk("RIFF", form: "AVI ")]),
        ]

        /// The type of an identifier; nil when such a file cannot be shown.
        static func named(_ identifier: String) -> AttachmentType? {
            all.first { $0.identifier == identifier }
        }

        /// The type of an extension of a file's name, in any case; nil when such a file cannot be shown.
        static func forExtension(_ name: String) -> AttachmentType? {
            let name = name.lowercased()
            return all.first { $0.extensions.contains(name) }
        }

        /// True if a file that begins with these bytes can be of the type.
        func matches(_ head: [UInt8]) -> Bool {
            signatures.contains { $0.matches(head) }
        }
    }

    /// Bytes that identify a file format, and their offset.
    struct FileSignature {
        /// The number of bytes that the longest signature needs.
        static let headLength = 12

        private let parts: [(offset: Int, bytes: [UInt8])]

        static func bytes(_ bytes: [UInt8]) -> FileSignature {
            FileSignature(parts: [(0, bytes)])
        }

        static func text(_ text: String, at offset: Int = 0) -> FileSignature {
            FileSignature(parts: [(offset, Array(text.utf8))])
        }

        /// A container of chunks: its name, four bytes of length, then its contents.
        static func chunk(_ name: String, form: String) -> FileSignature {
            FileSignature(parts: [(0, Array(name.utf8)), (8, Array(form.utf8))])
        }

        func matches(_ head: [UInt8]) -> Bool {
            parts.allSatisfy { head.dropFirst($0.offset).starts(with: $0.bytes) }
        }
    }
#endif
