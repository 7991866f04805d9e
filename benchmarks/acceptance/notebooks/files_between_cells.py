# %%
from pathlib import Path

Path("data").mkdir()
Path("data/a.txt").write_text("alpha")
# %%
import json

with open("data/b.json", "w") as file:
    json.dump({"k": [1, 2]}, file)
# %%
sorted(path.name for path in Path("data").iterdir())
# %%
json.load(open("data/b.json"))["k"]
# %%
with open("data/a.txt", "a") as file:
    file.write("bet")
Path("data/a.txt").read_text()
