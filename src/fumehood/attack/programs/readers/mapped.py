# aim: read a file as memory
# mechanism: mmap of a descriptor
# language: check
# reason: the policy does not authorize mmap
# jail: mount namespace, landlock
# plain: loot
import mmap, os
descriptor = os.open(secret_path, os.O_RDONLY)
loot(bytes(mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)))
