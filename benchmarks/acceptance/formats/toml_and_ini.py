import tomllib
from pathlib import Path

Path("project.toml").write_text(
    """
title = "demo"
[tool.lint]
line-length = 100
select = ["E", "F"]
ratio = 0.75
when = 2024-02-29T10:00:00Z
[[servers]]
name = "alpha"
[[servers]]
name = "beta"
ports = [8000, 8001]
"""
)
with open("project.toml", "rb") as file:
    data = tomllib.load(file)
print(data["tool"]["lint"]["line-length"], data["tool"]["lint"]["when"].isoformat())
print([server["name"] for server in data["servers"]], data["servers"][1]["ports"])
try:
    tomllib.loads("x = ")
except tomllib.TOMLDecodeError as error:
    print("TOMLDecodeError:", str(error).splitlines()[0])
