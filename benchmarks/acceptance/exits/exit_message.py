import sys


def validate(config):
    missing = [key for key in ("host", "port") if key not in config]
    if missing:
        sys.exit(f"error: missing {', '.join(missing)}")


validate({"host": "x", "port": 1})
print("first fine")
validate({"host": "x"})
