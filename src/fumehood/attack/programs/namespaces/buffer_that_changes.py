# aim: give exec a buffer that is written to between the check and the compilation
# mechanism: bytearray and memoryview are read when they are compiled
# language: builtins
# reason: the text that was checked must be the text that is compiled
# jail: process
# plain: loot

import json

for kind in (bytearray, lambda text: memoryview(bytearray(text))):
    exec(kind(b"loot(json.dumps.__globals__)"))
