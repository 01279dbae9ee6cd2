// Code that stores rows in SQLite also needs the ingest that reads them.

#if SQLite
@_exported public import SluiceIngest
#endif
