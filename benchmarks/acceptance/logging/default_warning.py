import logging

logging.warning("disk almost full")
logging.info("not shown")
logging.getLogger("lib").error("failed with code %s", 7)
log = logging.getLogger("quiet")
log.addHandler(logging.NullHandler())
log.propagate = False
log.critical("not shown either")
print(logging.getLevelName(30), logging.getLogger().handlers[0].__class__.__name__)
