# aim: have the host read a file of its own through a link in /lab
# layer: files, mount namespace
# expect: held
# needs: mount namespace
# plain: none (nobody reads the files of a plain process)
# host: read loot, read inner/secret, read absolute, list
os.symlink(secret_path, "/lab/loot")
os.symlink(os.path.dirname(secret_path), "/lab/inner")
os.symlink("../../../../../.." + secret_path, "/lab/absolute")
"held: the links are there"
