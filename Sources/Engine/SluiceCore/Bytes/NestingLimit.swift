// How deep a value may be nested, whatever the options say.

/// The greatest limit of depth that a reader or writer can be given: ``JSONReader/Options/greatestDepth`` gives the reason.
enum NestingLimit {
    static let greatest = 512
}
