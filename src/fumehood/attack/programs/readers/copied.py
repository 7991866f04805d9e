# aim: copy a file to where it can be read
# mechanism: shutil.copyfile to a file that others see
# language: check
# reason: the policy does not authorize shutil
# jail: mount namespace, landlock
# plain: loot
import shutil
shutil.copyfile(secret_path, scratch_path)
