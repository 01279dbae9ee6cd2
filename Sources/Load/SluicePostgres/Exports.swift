// Code that stores rows in PostgreSQL also needs the ingest that reads them.

#if PostgreSQL
@_exported public import SluiceIngest
#endif
