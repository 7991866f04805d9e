# An exception that derives from BaseException only.
class Signal(BaseException):
    pass


try:
    raise Signal("passes except Exception")
except Exception:
    print("never")
finally:
    print("finally ran")
