import ScreenPictures

/// Squarified tree maps: rectangles whose areas are in the proportion of weights, as close to squares as they get.
///
/// Source: Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
enum TreeMap {
    /// A frame for each weight, in the order of the weights. O(n log n).
    ///
    /// - Parameter weights: weights that are not positive have an empty frame.
    static func frames(of weights: [Double], in area: PictureFrame) -> [PictureFrame] {
        var frames = weights.map { _ in PictureFrame(x: area.x, y: area.y, width: 0, height: 0) }
        let total = weights.reduce(0) { $0 + max($1, 0) }
        guard total > 0, area.width > 0, area.height > 0 else { return frames }
        let scale = area.width * area.height / total
        // The position breaks ties, so that the result does not depend on how `sort` treats equal weights.
        let order = weights.indices.filter { weights[$0] > 0 }
            .sorted { weights[$0] != weights[$1] ? weights[$0] > weights[$1] : $0 < $1 }
        var free = area
        var row = [Int]()
        var rowArea = 0.0
        for index in order {
            let next = weights[index] * scale
            let side = min(free.width, free.height)
            let first = row.first.map { weights[$0] * scale } ?? next
            let last = row.last.map { weights[$0] * scale } ?? next
            if !row.isEmpty, worst(first, next, rowArea + next, side) > worst(first, last, rowArea, side) {
                free = place(row, rowArea, scale, weights, in: free, &frames)
                row = []
                rowArea = 0
            }
            row.append(index)
            rowArea += next
        }
        _ = place(row, rowArea, scale, weights, in: free, &frames)
        return frames
    }

    /// The worst ratio of sides in a row along a side, of which the largest and the smallest area are given.
    private static func worst(_ largest: Double, _ smallest: Double, _ sum: Double, _ side: Double) -> Double {
        let side = side * side
        let sum = sum * sum
        guard side > 0, sum > 0, smallest > 0 else { return .infinity }
        return max(side * largest / sum, sum / (side * smallest))
    }

    /// Puts a row along the shorter side, and returns what is left.
    private static func place(
        _ row: [Int], _ rowArea: Double, _ scale: Double, _ weights: [Double], in free: PictureFrame,
        _ frames: inout [PictureFrame]
    ) -> PictureFrame {
        let isUpright = free.width >= free.height
        let side = isUpright ? free.height : free.width
        guard side > 0, rowArea > 0 else { return free }
        let depth = rowArea / side
        var offset = 0.0
        for index in row {
            let length = weights[index] * scale / depth
            frames[index] =
                isUpright
                ? PictureFrame(x: free.x, y: free.y + offset, width: depth, height: length)
                : PictureFrame(x: free.x + offset, y: free.y, width: length, height: depth)
            offset += length
        }
        return isUpright
            ? PictureFrame(x: free.x + depth, y: free.y, width: max(free.width - depth, 0), height: free.height)
            : PictureFrame(x: free.x, y: free.y + depth, width: free.width, height: max(free.height - depth, 0))
    }
}
