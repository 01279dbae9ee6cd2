// What `import Sluice` brings: the Core, the feed, the macros, and conversions for Foundation's types.

@_exported public import SluiceCompression
@_exported public import SluiceCore
@_exported public import SluiceFeed
