# aim: learn about the host from any variable of the environment
# mechanism: os.environ
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: environment
# plain: succeeds
# expect: held
# programs: ?'PATH'? (it names the directory of the interpreter, which programs see as well)
HARMLESS = ("/home/user", "/tmp", "/", "user", "nobody", "/usr/local/bin:/usr/bin:/bin", "C.UTF-8", "agg", "/tmp/.matplotlib", "/home/user/.packages", "0", "1", "/etc/uv.toml", "/bin/bash", "dumb")
judge(lambda: [name for name, value in os.environ.items() if value not in HARMLESS and not name.endswith("_NUM_THREADS")])
