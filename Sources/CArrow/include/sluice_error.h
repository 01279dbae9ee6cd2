#ifndef SLUICE_ERROR_H
#define SLUICE_ERROR_H

// Stores the text that sluice_last_error() gives in this thread, and gives back the one before, which the caller frees.
char *sluice_exchange_error(char *text);

#endif
