// How deep a value may be nested, whatever the options say.

/// The most levels of containers that a reader or writer can be told to take: ``JSONReader/Options/greatestDepth`` says why.
enum NestingLimit {
    static let greatest = 512
}
