import io
import tarfile
import zipfile

buffer = io.BytesIO()
with tarfile.open(fileobj=buffer, mode="w") as archive:
    for name in ("fine.txt", "../outside.txt", "/absolute.txt"):
        info = tarfile.TarInfo(name)
        info.size = 4
        archive.addfile(info, io.BytesIO(b"data"))
buffer.seek(0)
with tarfile.open(fileobj=buffer) as archive:
    for member in archive:
        try:
            archive.extract(member, "safe", filter="data")
            print("extracted", member.name)
        except tarfile.FilterError as error:
            print(type(error).__name__, member.name)
memory = io.BytesIO()
with zipfile.ZipFile(memory, "w") as archive:
    archive.writestr("../up.txt", "x")
with zipfile.ZipFile(memory) as archive:
    print(archive.extract("../up.txt", "zipped"))
    print(archive.namelist())
