import json
from datetime import date
from decimal import Decimal


class Encoder(json.JSONEncoder):
    def default(self, value):
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, Decimal):
            return str(value)
        if isinstance(value, set):
            return sorted(value)
        return super().default(value)


def read_events(path):
    with open(path) as file:
        for number, line in enumerate(file, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                print(f"line {number}: {error}")


with open("events.jsonl", "w") as file:
    for event in ({"day": date(2024, 2, 29), "tags": {"b", "a"}}, {"price": Decimal("9.90")}):
        print(json.dumps(event, cls=Encoder), file=file)
    file.write('{"broken": \n')
print(list(read_events("events.jsonl")))
try:
    json.dumps({"value": object}, cls=Encoder)
except TypeError as error:
    print(error)
