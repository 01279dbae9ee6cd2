"""A data source whose tasks fail in the middle, once each. Spark's processes import it, so it is a module of its own."""

import os
import signal

from sluice.spark import SluiceDataSource, SluiceReader


class FailingSource(SluiceDataSource):
    """Two options more: `how` a task fails (`raise` or `kill`), and `marks`, a folder that knows which have failed."""

    @classmethod
    def name(cls):
        return "sluice-failing"

    def __init__(self, options):
        self.how, self.marks = options["how"], options["marks"]
        super().__init__({name: value for name, value in options.items() if name.lower() not in ("how", "marks")})

    def reader(self, schema):
        return FailingReader(super().reader(schema), self.how, self.marks)


class FailingReader(SluiceReader):
    def __init__(self, reader, how, marks):
        self.__dict__.update(reader.__dict__)
        self.how, self.marks = how, marks

    def read(self, split):
        number = self.plan.splits().index(split)
        for index, batch in enumerate(super().read(split)):
            yield batch
            if index == 1:
                self._fail_once(number)
        # A split with fewer batches fails at its end.
        self._fail_once(number)

    def _fail_once(self, number):
        if number % 3 != 1 or not self._is_first(number):
            return
        if self.how == "raise":
            raise RuntimeError("an injected failure")
        os.kill(os.getpid(), signal.SIGKILL)

    def _is_first(self, number):
        try:
            os.close(os.open(f"{self.marks}/{number}", os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False
