#if CommandLine
internal import ArgumentParser
internal import GRDB
@main struct SluiceCommand: ParsableCommand {}
#endif
