"""Undoes a random part of what was written since the last sync of each file, as a loss of power does.

interpose.c keeps, for each write, the sectors of 512 bytes that it replaced, and notes each sync. A disk may have any version of
a sector since the file's last sync, and any size that the file had since then.

    python3 crash.py FOLDER LOG SEED
"""

import os
import random
import struct
import sys

SECTOR = 512
HEAD = struct.Struct("=7Q")
WRITE, TRUNCATE, SYNC = 1, 2, 3


def unsynced(log):
    """For each file, by device and number, its changes since its last sync: (offset, end, bytes before, size before)."""
    changes = {}
    place = 0
    while place + HEAD.size <= len(log):
        kind, device, number, offset, end, length, size = HEAD.unpack_from(log, place)
        before = log[place + HEAD.size: place + HEAD.size + length]
        place += HEAD.size + length
        if kind == SYNC:
            changes.pop((device, number), None)
        else:
            changes.setdefault((device, number), []).append((offset, end, before, size))
    return changes


def undo(path, changes, chance):
    """Gives each sector that was changed one of its versions, and the file one of its sizes."""
    with open(path, "rb") as file:
        now = file.read()
    versions, sizes = {}, [len(now)]
    for offset, end, before, size in reversed(changes):
        sizes.append(size)
        # A write beyond the end has replaced nothing there: zeros, if the file keeps its new size.
        for start in range(offset, end, SECTOR):
            versions.setdefault(start // SECTOR, []).append(before[start - offset: start - offset + SECTOR])
    mode = chance.choice(["all", "oldest", "oldest", "any", "any", "some"])
    if mode == "all":
        return False
    share = chance.choice([0.05, 0.3, 0.7])
    data = bytearray(now.ljust((max(versions, default=0) + 1) * SECTOR, b"\0"))
    for sector, older in sorted(versions.items()):
        if mode == "oldest":
            chosen = older[-1]
        elif mode == "any":
            index = chance.randrange(len(older) + 1)
            if index == 0:
                continue
            chosen = older[index - 1]
        elif chance.random() < share:
            chosen = older[-1]
        else:
            continue
        data[sector * SECTOR: (sector + 1) * SECTOR] = chosen.ljust(SECTOR, b"\0")
    size = sizes[-1] if mode == "oldest" else chance.choice(sizes)
    data = data.ljust(size, b"\0")
    with open(path, "r+b") as file:
        file.write(data[:size])
        file.truncate(size)
    return True


def crash(folder, log_path, chance):
    """Undoes changes of all files of a folder. Returns the names of those that changed."""
    with open(log_path, "rb") as file:
        changes = unsynced(file.read())
    changed = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        status = os.stat(path)
        if name.endswith("-shm"):
            # Memory: gone, unless the machine only stopped.
            os.unlink(path)
        elif (status.st_dev, status.st_ino) in changes and undo(path, changes[status.st_dev, status.st_ino], chance):
            changed.append(name)
    os.unlink(log_path)
    return changed


if __name__ == "__main__":
    print(*crash(sys.argv[1], sys.argv[2], random.Random(int(sys.argv[3]))))
