import json


class ConfigError(Exception):
    pass


def load(text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigError("the configuration is not JSON") from error


try:
    load("{")
except ConfigError as error:
    print(error, "<-", type(error.__cause__).__name__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        {}["x"]
except KeyError as error:
    print(repr(error.__context__), error.__suppress_context__)
error = ValueError("with a note")
error.add_note("remember this")
print(error.__notes__)
load("[1, 2")
