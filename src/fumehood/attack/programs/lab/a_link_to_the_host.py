# aim: have the host read a file of its own through a link in /home/user
# mechanism: a link in /home/user to a file of the host
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: files, mount namespace
# plain: none (nobody reads the files of a plain process)
# expect: held
# host: read loot, read inner/secret, read absolute, list
# needs: mount namespace
os.symlink(secret_path, "/home/user/loot")
os.symlink(os.path.dirname(secret_path), "/home/user/inner")
os.symlink("../../../../../.." + secret_path, "/home/user/absolute")
"held: the links are there"
