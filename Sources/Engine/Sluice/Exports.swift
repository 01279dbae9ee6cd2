// `import Sluice` also imports the Core, the feeds and their compression.

@_exported public import SluiceCompression
@_exported public import SluiceCore
@_exported public import SluiceFeed
