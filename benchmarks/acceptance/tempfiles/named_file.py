import os
import tempfile

with tempfile.NamedTemporaryFile("w+", suffix=".csv", prefix="data_", delete=False) as file:
    file.write("a,b\n1,2\n")
    file.seek(0)
    print(file.readlines())
    name = file.name
print(os.path.basename(name).startswith("data_"), name.endswith(".csv"), os.path.exists(name))
with open(name, "a") as again:
    again.write("3,4\n")
print(open(name).read())
os.unlink(name)
with tempfile.NamedTemporaryFile() as file:
    file.write(b"bytes")
    file.flush()
    print(os.path.getsize(file.name))
print(os.path.exists(file.name))
