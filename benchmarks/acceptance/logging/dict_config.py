import logging
import logging.config

logging.config.dictConfig(
    {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"short": {"format": "{levelname[0]} {name}: {message}", "style": "{"}},
        "filters": {"even": {"()": lambda: (lambda record: record.args[0] % 2 == 0)}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "short", "stream": "ext://sys.stdout"},
            "file": {"class": "logging.FileHandler", "filename": "even.log", "filters": ["even"], "mode": "w"},
        },
        "loggers": {"counter": {"level": "DEBUG", "handlers": ["out", "file"]}},
    }
)
logger = logging.getLogger("counter")
for number in range(4):
    logger.debug("value %d", number)
logging.shutdown()
print(open("even.log").read().split("\n"))
