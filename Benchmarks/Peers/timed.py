"""Whole processes, timed by the program that Peers/timed.c becomes."""

import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Timer:
    """Runs commands, with the program in a folder of its own."""

    def __init__(self, folder):
        self.program, self.result = os.path.join(folder, "timed"), os.path.join(folder, "timed.result")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", self.program, HERE / "timed.c"], check=True)

    def run(self, command, **options):
        """The finished process with its outputs, and its seconds elapsed, seconds of processor time, and MiB of memory."""
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            process = subprocess.run([self.program, self.result, *map(str, command)], stdout=output, stderr=errors,
                                     stdin=subprocess.DEVNULL, text=True, **options)
            for name, file in [("stdout", output), ("stderr", errors)]:
                file.seek(0)
                setattr(process, name, file.read())
        return process, [float(number) for number in pathlib.Path(self.result).read_text().split()]
