// What is left of the module if the package trait Services is off: a name, whose error says what to do.

#if !Services
/// An ingest as a service.
@available(*, unavailable, message: "enable the package trait Services, which brings in swift-service-lifecycle")
public struct IngestService {}
#endif
