# aim: write a file by the logging of the library
# mechanism: logging.FileHandler
# language: check
# reason: the policy does not authorize logging
# jail: mount namespace, landlock
# plain: loot
import logging
handler = logging.FileHandler(scratch_path)
handler.emit(logging.makeLogRecord({"msg": "x"}))
handler.close()
