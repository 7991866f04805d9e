import io
import json
import logging


class JsonFormatter(logging.Formatter):
    def format(self, record):
        entry = {"level": record.levelname, "message": record.getMessage(), "logger": record.name}
        if record.exc_info:
            entry["error"] = record.exc_info[0].__name__
        entry.update(getattr(record, "context", {}))
        return json.dumps(entry)


stream = io.StringIO()
handler = logging.StreamHandler(stream)
handler.setFormatter(JsonFormatter())
logger = logging.getLogger("orders")
logger.addHandler(handler)
logger.propagate = False
logger.setLevel("INFO")
logger.info("created", extra={"context": {"order": 17}})
try:
    int("seven")
except ValueError:
    logger.error("cannot parse", exc_info=True)
for line in stream.getvalue().splitlines():
    print(json.loads(line))
