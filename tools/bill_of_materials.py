"""The bill of materials of a release: what is in it that we have not made, as CycloneDX in JSON.

What is installed beside it stands in the metadata of the wheel.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

import mulligan

PART = re.compile(r"^## (\S+) - (\S+) \(+([^)]+)\)+$", re.M)  # in the client's licenses.md
FONT = re.compile(r"from (Noto Sans CJK JP), version ([0-9.]+)")  # in the license of the fonts
LICENSES = LicenseFactory()
KIND = ComponentType.APPLICATION


def bill_of(package: Path) -> str:
    """Returns the bill of a package as JSON, of the time in SOURCE_DATE_EPOCH. Raises ValueError: see `parts_of`."""
    bill, whole = Bom(components=parts_of(package)), component("mulligan", mulligan.__version__, "MIT", KIND, "pypi")
    bill.metadata.component = whole
    bill.register_dependency(whole, bill.components)
    bill.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    bill.serial_number = uuid5(NAMESPACE_URL, " ".join(sorted(f"{part.purl}" for part in bill.components)))
    return str(JsonV1Dot6(bill).output_as_string(indent=2)) + "\n"


def parts_of(package: Path) -> Iterator[Component]:
    """Yields what others have made. Raises ValueError if the files that tell of it do not."""
    client = PART.findall((package / "client" / "licenses.md").read_text(encoding="utf-8"))
    font = FONT.search((package / "scorecard" / "fonts" / "OFL.txt").read_text(encoding="utf-8"))
    if not client or not font:
        raise ValueError("The licenses of the client or of the fonts have another form than expected.")
    for name, version, terms in client:
        yield component(name, version, terms, ComponentType.LIBRARY, "npm")
    yield component(font[1], font[2], "OFL-1.1", ComponentType.FILE, "generic")


def component(name: str, version: str, terms: str, kind: ComponentType, where: str) -> Component:
    *group, short = name.split("/")
    purl = PackageURL(where, "/".join(group) or None, short, version)
    return Component(
        name=name, version=version, type=kind, purl=purl, bom_ref=str(purl), licenses=[LICENSES.make_from_string(terms)]
    )
