"""Builds wheels: flit's, which has only Python, or one with the library inside, which is then for this platform alone.

`SLUICE_WHEEL_LIBRARY` names the file of the library. Without it the wheel is for any platform, and the library is looked for when the
package is used. `Scripts/build-wheel` builds the library and sets the variable.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import sys
import sysconfig
import zipfile
from typing import Any, Optional

from flit_core.buildapi import (  # noqa: F401  (what pip asks a build for)
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)
from flit_core.buildapi import build_wheel as build_pure_wheel

VARIABLE = "SLUICE_WHEEL_LIBRARY"
FILE_NAME = "libSluiceArrow.dylib" if sys.platform == "darwin" else "libSluiceArrow.so"


def build_wheel(directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """Makes a wheel in a folder, and returns its name."""
    name = build_pure_wheel(directory, config_settings, metadata_directory)
    library = os.environ.get(VARIABLE)
    if not library:
        return name
    pure = pathlib.Path(directory, name)
    made = pure.with_name(name.replace("-none-any.whl", f"-none-{platform_tag()}.whl"))
    add_library(pure, made, pathlib.Path(library))
    pure.unlink()
    return made.name


def platform_tag() -> str:
    """The platform as wheels name it: linux_x86_64, macosx_15_0_arm64."""
    return re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())


def add_library(pure: pathlib.Path, made: pathlib.Path, library: pathlib.Path) -> None:
    """Copies a wheel, with the library beside the package, the tag of the platform, and the list of files that belongs to both."""
    with zipfile.ZipFile(pure) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        lines = []
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                record = entry.filename
                continue
            if entry.filename.endswith(".dist-info/WHEEL"):
                text = data.decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
                data = re.sub(r"(?m)^Tag: (.*)-any$", rf"Tag: \1-{platform_tag()}", text).encode()
            target.writestr(entry, data)
            lines.append(record_line(entry.filename, data))
        data = library.read_bytes()
        entry = zipfile.ZipInfo(f"sluice/{FILE_NAME}", (2020, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100755 << 16
        target.writestr(entry, data, zipfile.ZIP_DEFLATED)
        lines.append(record_line(entry.filename, data))
        target.writestr(record, "".join(lines) + f"{record},,\n")


def record_line(name: str, data: bytes) -> str:
    """A file with its checksum, as https://packaging.python.org/en/latest/specifications/recording-installed-packages/ says."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"
