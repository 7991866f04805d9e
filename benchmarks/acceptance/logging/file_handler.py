import logging
from logging.handlers import RotatingFileHandler
import os

logger = logging.getLogger("app")
logger.setLevel(logging.DEBUG)
handler = RotatingFileHandler("app.log", maxBytes=200, backupCount=2)
handler.setFormatter(logging.Formatter("[%(levelname)-7s] %(funcName)s: %(message)s"))
logger.addHandler(handler)


def work():
    for number in range(12):
        logger.log(logging.INFO if number % 2 else logging.DEBUG, "step %d", number)


work()
handler.close()
for name in sorted(name for name in os.listdir() if name.startswith("app.log")):
    print(name, len(open(name).read().splitlines()))
print(open("app.log").read(), end="")
