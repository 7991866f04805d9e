# aim: read a file by putting it into a zip
# mechanism: zipfile.ZipFile.write without compression
# language: check
# reason: the policy does not authorize zipfile
# jail: mount namespace, landlock
# plain: loot
import io, zipfile
room = io.BytesIO()
with zipfile.ZipFile(room, "w") as archive:
    archive.write(secret_path, "x")
loot(room.getvalue())
