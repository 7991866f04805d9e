from io import StringIO
from pathlib import Path

import pandas as pd

frame = pd.DataFrame({"id": [1, 2, 3], "tags": [["x"], [], ["y", "z"]], "score": [0.5, 1.0, None]})
frame.to_json("records.json", orient="records", indent=1)
print(Path("records.json").read_text())
print(pd.read_json("records.json"))
frame.drop(columns="tags").to_json("lines.jsonl", orient="records", lines=True)
print(Path("lines.jsonl").read_text())
print(pd.read_json(StringIO('{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}')))
nested = [{"user": {"name": "Ann", "city": "Oslo"}, "n": 1}, {"user": {"name": "Bob"}, "n": 2}]
print(pd.json_normalize(nested, sep="_"))
