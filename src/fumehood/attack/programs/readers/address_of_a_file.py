# aim: read a file as an address of the web
# mechanism: urllib.request.urlopen of file://
# language: check
# reason: the policy does not authorize urllib.request
# jail: mount namespace, landlock
# plain: loot
import urllib.request
loot(urllib.request.urlopen("file://" + secret_path).read())
