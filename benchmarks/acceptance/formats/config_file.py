import configparser
from pathlib import Path

Path("app.ini").write_text(
    """
[DEFAULT]
timeout = 30
base = /srv

[database]
host = db.example.com
port = 5432
path = %(base)s/data
debug = yes
; a comment
[empty]
"""
)
config = configparser.ConfigParser()
print([Path(name).name for name in config.read(["app.ini", "missing.ini"])])
db = config["database"]
print(config.sections(), db["path"], db.getint("port"), db.getboolean("debug"), db.getfloat("timeout"))
print(config.get("database", "user", fallback="guest"), config.has_option("empty", "timeout"))
config["cache"] = {"size": "10"}
config.set("cache", "ttl", "60")
with open("out.ini", "w") as file:
    config.write(file)
print(Path("out.ini").read_text())
try:
    config.get("nothing", "x")
except configparser.NoSectionError as error:
    print(error)
