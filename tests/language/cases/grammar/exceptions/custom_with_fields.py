# Custom exceptions carry fields and their own text.
class AppError(Exception):
    """Base."""


class HttpError(AppError):
    def __init__(self, status, *, reason="unknown"):
        super().__init__(f"{status} {reason}")
        self.status = status
        self.reason = reason

    def __str__(self):
        return f"HTTP {self.status}: {self.reason}"


try:
    raise HttpError(404, reason="not found")
except AppError as error:
    print(error, error.status, error.reason, error.args)
    print(repr(error), isinstance(error, HttpError))
