import os


def settings():
    return {
        "level": os.environ.get("APP_LEVEL", "info"),
        "workers": int(os.getenv("APP_WORKERS", "2")),
    }


print(settings())
os.environ["APP_LEVEL"] = "debug"
os.environ["APP_WORKERS"] = "8"
print(settings())
del os.environ["APP_LEVEL"]
print(settings(), "APP_LEVEL" in os.environ)
print(os.path.expandvars("$APP_WORKERS workers"), os.path.expanduser("~") == os.environ["HOME"])
print(os.path.isabs(os.getcwd()), os.path.isdir(os.getcwd()))
os.makedirs("sub", exist_ok=True)
os.chdir("sub")
print(os.path.basename(os.getcwd()), os.listdir(".."[:0] or "."))
print(os.sep, os.linesep == "\n", os.name, os.cpu_count() >= 1)
