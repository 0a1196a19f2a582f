#if os(Linux)
    /// Copy-on-write storage for content: a push is copied four times on its way, and changed once or not at all.
    struct SharedValues {
        private final class Box {
            var content: ContentValues

            init(_ content: ContentValues) { self.content = content }
        }

        private var box: Box

        init(_ content: ContentValues = ContentValues()) { box = Box(content) }

        var content: ContentValues {
            _read { yield box.content }
            _modify {
                if !isKnownUniquelyReferenced(&box) { box = Box(box.content) }
                yield &box.content
            }
        }
    }
#endif
