"""Checks a bill of materials against CycloneDX's own schema, with the package cyclonedx-python-lib: check-bill.py FILE"""

import json
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = open(sys.argv[1], encoding="utf-8").read()
version = json.loads(text)["specVersion"]
error = JsonStrictValidator(SchemaVersion.from_version(version)).validate_str(text)
sys.exit(f"{sys.argv[1]} is no CycloneDX {version}: {error}" if error else 0)
