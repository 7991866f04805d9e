# aim: write a file where temporary ones are
# mechanism: tempfile.NamedTemporaryFile in a chosen directory
# language: check
# reason: the policy does not authorize tempfile
# jail: mount namespace, landlock
# plain: loot
import os.path, tempfile
with tempfile.NamedTemporaryFile(dir=scratch_path.rpartition("/")[0], delete=False) as file:
    file.write(b"x")
