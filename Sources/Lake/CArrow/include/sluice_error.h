#ifndef SLUICE_ERROR_H
#define SLUICE_ERROR_H

// Stores the text that sluice_last_error() returns in this thread, and returns the previous text, which the caller must free.
char *sluice_exchange_error(char *text);

#endif
