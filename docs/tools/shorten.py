#!/usr/bin/env python3
"""A report in JSON, cut down for reading: one element of each list, then how many more there are."""
import json
import sys


def shorten(value):
    if isinstance(value, dict):
        return {key: shorten(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [shorten(value[0])] + ([f"… {len(value) - 1} more"] if len(value) > 1 else [])
    return value


def write(value, indent=""):
    """Objects of scalars on one line if they fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(indent) + len(flat) <= 110:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{inner}{json.dumps(key)}: {write(item, inner)}" for key, item in value.items()) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + write(item, inner) for item in value) + f"\n{indent}]"


print(write(shorten(json.load(sys.stdin))))
