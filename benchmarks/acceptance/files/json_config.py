import json
from pathlib import Path

DEFAULTS = {"host": "localhost", "port": 8080, "debug": False, "tags": []}


def load_config(path: Path) -> dict:
    """Read a configuration; missing keys take their defaults."""
    config = dict(DEFAULTS)
    if path.exists():
        config.update(json.loads(path.read_text()))
    return config


def save_config(path: Path, config: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(config, indent=2, sort_keys=True))


target = Path("settings") / "app" / "config.json"
print(load_config(target))
save_config(target, {"port": 9000, "tags": ["a", "b"], "name": "Zoë"})
print(target.read_text())
merged = load_config(target)
print(merged["host"], merged["port"], merged["name"])
try:
    json.loads("{'bad': 1}")
except json.JSONDecodeError as error:
    print("invalid:", error.msg, error.lineno, error.colno)
