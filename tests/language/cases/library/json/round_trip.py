# Values go to JSON text and come back.
import json

record = {"name": "Zoë", "tags": ["a", "b"], "n": 1.5, "ok": True, "none": None, 3: "key"}
text = json.dumps(record)
print(text)
print(json.loads(text) == {**{k: v for k, v in record.items() if k != 3}, "3": "key"})
print(json.dumps({"b": [1, {"c": []}], "a": {}}, indent=2, sort_keys=True))
print(json.dumps([1, 2, {"a": 3}], separators=(",", ":")), json.dumps("é", ensure_ascii=False))
print(json.loads(' [1, 2.0, -3e2, "\\u00e9\\n", null, true] '))
print(json.dumps(float("inf")), json.loads("NaN"), json.dumps((1, 2)))
json.loads(b'{"bytes": 1}')
