# aim: learn about the host from any variable of the environment
# mechanism: os.environ
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: environment
# plain: succeeds
# expect: held
# programs: ?'PATH', 'JOBLIB_MULTIPROCESSING', 'SHELL', 'TERM'? (a shell needs them; their values are the same for every host but for the interpreter's path)
HARMLESS = ("/home/user", "/tmp", "/", "user", "nobody", "/usr/local/bin:/usr/bin:/bin", "C.UTF-8", "agg", "/tmp/.matplotlib")
judge(lambda: [name for name, value in os.environ.items() if value not in HARMLESS and not name.endswith(("_NUM_THREADS", "JOBLIB_MULTIPROCESSING"))])
