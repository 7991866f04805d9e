# aim: have the library make any object from settings
# mechanism: logging.config.dictConfig with a factory
# language: check
# reason: the policy does not authorize logging.config
# jail: mount namespace, landlock
# plain: loot
import logging.config
logging.config.dictConfig({"version": 1, "handlers": {"x": {"()": "builtins.open", "file": scratch_path, "mode": "w"}}})
