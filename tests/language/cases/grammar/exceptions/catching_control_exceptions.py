# SystemExit, KeyboardInterrupt and GeneratorExit pass Exception and stop at BaseException.
for kind in (SystemExit, KeyboardInterrupt, GeneratorExit):
    try:
        try:
            raise kind("stop")
        except Exception:
            print("never")
    except BaseException as error:
        print(type(error).__name__, error.args)
try:
    raise SystemExit(3)
except SystemExit as error:
    print(error.code)
