#if os(Linux)
    /// The meaning of a predicate's format, with its arguments filled in.
    indirect enum PredicateNode {
        case constant(Bool)
        case not(PredicateNode)
        /// At least two.
        case and([PredicateNode])
        case or([PredicateNode])
        case comparison(PredicateComparison)
    }

    /// Two expressions and what is asked about them.
    struct PredicateComparison {
        enum Operator {
            case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
            case between, contains, isIn, beginsWith, endsWith, like, matches
        }

        /// How many of the elements on the left the comparison has to hold for.
        enum Quantifier {
            case any, all, none
        }

        /// The differences that a comparison of texts ignores.
        struct Options {
            var ignoresCase = false
            var ignoresDiacritics = false
        }

        var quantifier: Quantifier?
        var left: PredicateExpression
        var operation: Operator
        var options = Options()
        var right: PredicateExpression
    }

    indirect enum PredicateExpression {
        enum Arithmetic {
            case add, subtract, multiply, divide, raise
        }

        case constant(Any?)
        /// The object itself.
        case object
        case variable(String)
        case list([PredicateExpression])
        /// The value at the end of a path of keys, of which the first belongs to the other expression.
        case path(PredicateExpression, [String])
        /// An element of an array by its number, or of a dictionary by its key.
        case element(PredicateExpression, PredicateExpression)
        /// The first or the last element, or their number.
        case end(PredicateExpression, PredicateListEnd)
        case arithmetic(Arithmetic, PredicateExpression, PredicateExpression)
        case function(PredicateFunction, [PredicateExpression])
        /// The elements for which a predicate holds, in which a variable stands for the element.
        case subquery(PredicateExpression, variable: String, PredicateNode)
    }

    /// `[FIRST]` and its like.
    enum PredicateListEnd {
        case first, last, size
    }

    /// The functions that a format can call.
    enum PredicateFunction: String {
        case sum, count, min, max, average, uppercase, lowercase, abs, ceiling, floor, sqrt, length, now
    }

    /// Why a format is none, or cannot be applied to an object: what Apple's system raises an exception for.
    struct PredicateFailure: Error, Equatable {
        /// One line.
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }
#endif
