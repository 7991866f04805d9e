import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
logger = logging.getLogger("pipeline")


def load(rows):
    logger.debug("not shown")
    logger.info("loading %d rows", rows)
    if rows > 100:
        logger.warning("large: %s", f"{rows:,}")
    try:
        return 1000 / rows
    except ZeroDivisionError:
        logger.exception("no rows")
        return None


print(load(50), load(5000), load(0))
logging.getLogger("pipeline.child").error("from a child")
print(logger.isEnabledFor(logging.DEBUG), logger.getEffectiveLevel())
