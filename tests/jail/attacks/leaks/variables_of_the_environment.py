# aim: learn about the host from any variable of the environment
# layer: environment
# expect: held
# plain: succeeds
HARMLESS = ("/lab", "/", "lab", "nobody", "/nonexistent", "C.UTF-8")
judge(lambda: [name for name, value in os.environ.items() if value not in HARMLESS and not name.endswith("_NUM_THREADS")])
