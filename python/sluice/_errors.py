"""The one error of this package."""

from __future__ import annotations


class SluiceError(ValueError):
    """A feed cannot be read: there is no such file, an option is wrong, or a record is not what the columns say.

    The text is the library's own. Errors that appear while a stream is read come from pyarrow, as `pyarrow.ArrowInvalid` (a `ValueError`,
    too) or `OSError`, with the same text.
    """

    def __init__(self, message: str, number: int = 0):
        super().__init__(message)
        #: The kind of the error, as in the module `errno`; 0 if this package found it, not the library.
        self.number = number

    def __reduce__(self) -> tuple[type[SluiceError], tuple[str, int]]:
        # Spark sends errors from process to process.
        return type(self), (str(self), self.number)
