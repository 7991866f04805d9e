"""Regular expressions with callbacks, and JSON there and back with hooks."""

import json
import re
from decimal import Decimal

TOKEN = re.compile(r"(?P<number>\d+(?:\.\d+)?)|(?P<word>[a-z_]+)|(?P<mark>[-+*/()=])|(?P<space>\s+)")
FIELD = re.compile(r"\{(?P<name>\w+)(?::(?P<width>\d+))?\}")


def tokens(text):
    for match in TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield match.lastgroup, match[0]


def fill(template, values):
    def replacement(match):
        text = str(values.get(match["name"], "?"))
        return text.rjust(int(match["width"])) if match["width"] else text

    return FIELD.sub(replacement, template)


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: "_" + match.group().lower(), name)


def encode(value):
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, set):
        return sorted(value)
    raise TypeError(type(value).__name__)


def decode(mapping):
    return Decimal(mapping["decimal"]) if mapping.keys() == {"decimal"} else mapping


def invoice(number):
    template = "total_{number} = {count:4} * ({price:6} + 1.5) - fee_of_{missing}"
    text = fill(template, {"number": number, "count": number % 40, "price": number / 4})
    kinds = [kind for kind, _ in tokens(text)]
    total = Decimal(number) / 8
    return {"invoiceNumber": number, "text": text, "kinds": set(kinds), "kindCount": len(kinds), "sum": total}


def file_away(count):
    written = json.dumps([invoice(number) for number in range(count)], default=encode, sort_keys=True)
    total = Decimal(0)
    names = set()
    for entry in json.loads(written, object_hook=decode):
        again = json.loads(json.dumps(entry, default=encode, indent=1))
        names.update(snake_case(name) for name in again)
        total += entry["sum"]
    return len(written), str(total), sorted(names)


file_away(2_400)
