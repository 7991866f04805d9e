# Custom encoders, default functions, object hooks and parsers of numbers.
import json
from datetime import date
from decimal import Decimal


class Money:
    def __init__(self, amount):
        self.amount = amount


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Money):
            return {"money": o.amount}
        if isinstance(o, date):
            return o.isoformat()
        return super().default(o)


def revive(mapping):
    return Money(mapping["money"]) if "money" in mapping else mapping


text = json.dumps({"price": Money(5), "day": date(2024, 2, 29)}, cls=Encoder)
print(text)
print(json.loads(text, object_hook=revive)["price"].amount)
print(json.dumps({1, 2, 3}, default=sorted), json.dumps(Decimal("1.10"), default=str))
print(json.loads("[1.10, 2]", parse_float=Decimal, parse_int=lambda s: s + "!"))
print(json.loads('{"a": 1, "a": 2}', object_pairs_hook=list))
print("".join(json.JSONEncoder(indent=None).iterencode([1, [2]])))
json.JSONDecoder().raw_decode('{"a": 1} rest')
