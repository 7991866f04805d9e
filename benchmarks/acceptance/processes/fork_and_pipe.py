import os

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        out.write(f"sum {sum(range(1000))}")
    os._exit(4)
os.close(writer)
with os.fdopen(reader) as incoming:
    print(incoming.read())
_, status = os.waitpid(child, 0)
print(os.WIFEXITED(status), os.waitstatus_to_exitcode(status))
