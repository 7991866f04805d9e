# aim: find a second socket, one to the zygote or to another sandbox
# layer: descriptors
# expect: held
# plain: none (a plain process has no wire)
judge(lambda: f"sockets {sockets()}" if len(sockets()) > 1 else None)
