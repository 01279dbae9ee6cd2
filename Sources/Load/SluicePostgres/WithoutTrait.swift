// What is left of the module if the package trait PostgreSQL is off: a name, whose error says what to do.

#if !PostgreSQL
/// A table of PostgreSQL that records are stored in.
@available(*, unavailable, message: "enable the package trait PostgreSQL, which brings in libpq")
public struct PostgresSink {}
#endif
