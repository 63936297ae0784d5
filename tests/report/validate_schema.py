#!/usr/bin/env python3
"""Validates JSON reports against a schema: validate_schema.py SCHEMA COMMAND [ARGUMENT...].

The command prints one or more JSON documents, one after the other.
"""
import json
import subprocess
import sys

import jsonschema


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)  # the draft that the schema names: 4 for SARIF, 7 for ours
    kind.check_schema(schema)
    validator = kind(schema)
    text = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=False).stdout.decode("utf-8")
    decoder = json.JSONDecoder()
    position, documents = 0, 0
    while position < len(text):
        document, position = decoder.raw_decode(text, position)
        documents += 1
        errors = sorted(validator.iter_errors(document), key=lambda error: [str(part) for part in error.path])
        for error in errors[:5]:
            where = "/".join(str(part) for part in error.path)
            print(f"document {documents}: {where}: {error.message}", file=sys.stderr)
        if errors:
            return 1
        while position < len(text) and text[position].isspace():
            position += 1
    if documents == 0:
        print("no document was printed", file=sys.stderr)
        return 1
    print(f"{documents} documents validate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
