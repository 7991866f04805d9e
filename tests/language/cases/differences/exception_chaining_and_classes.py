# Exceptions keep their own attributes, match by class and tuple, and nest.
class HttpError(Exception):
    status = 500

    def __init__(self, message, *, url=None):
        super().__init__(message)
        self.url = url

    def __str__(self):
        return f"{self.status}: {self.args[0]} at {self.url}"


class NotFound(HttpError):
    status = 404


def handle(error):
    try:
        raise error
    except NotFound as e:
        return f"not found {e.url}"
    except (HttpError, KeyError) as e:
        return f"other {e}"
    except Exception:
        return "unexpected"
    else:
        return "nothing"
    finally:
        print("handled", type(error).__name__)


print(handle(NotFound("no", url="/a")), handle(HttpError("bad")), handle(KeyError("k")), handle(OSError()))
try:
    raise 5
except TypeError as error:
    print(error)
raise NotFound("gone", url="/b")
