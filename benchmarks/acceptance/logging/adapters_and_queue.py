import logging
import queue
from logging.handlers import MemoryHandler, QueueHandler, QueueListener


class Collect(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        self.seen.append(self.format(record))


class Tagged(logging.LoggerAdapter):
    def process(self, message, kwargs):
        return f"[{self.extra['job']}] {message}", kwargs


collect = Collect()
records = queue.Queue()
listener = QueueListener(records, collect)
listener.start()
logger = logging.getLogger("jobs")
logger.setLevel(logging.INFO)
logger.addHandler(QueueHandler(records))
Tagged(logger, {"job": 42}).info("started %s", "now")
logger.info("plain")
listener.stop()
print(collect.seen)
memory = MemoryHandler(10, flushLevel=logging.ERROR, target=collect)
other = logging.getLogger("other")
other.propagate = False
other.addHandler(memory)
other.warning("kept")
print(len(collect.seen))
other.error("flushes")
print(collect.seen[2:])
logging.addLevelName(25, "NOTICE")
print(logging.getLevelName("NOTICE"))
