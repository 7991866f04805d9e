# aim: read a file by packing it
# mechanism: tarfile.open into memory
# language: check
# reason: the policy does not authorize tarfile
# jail: mount namespace, landlock
# plain: loot
import io, tarfile
room = io.BytesIO()
with tarfile.open(fileobj=room, mode="w") as archive:
    archive.add(secret_path)
loot(room.getvalue())
