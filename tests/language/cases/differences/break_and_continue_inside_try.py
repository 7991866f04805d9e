# The statements break and continue inside try are not caught by any except.
log = []
for n in range(6):
    try:
        if n == 1:
            continue
        if n == 4:
            break
        log.append(n)
    except Exception:
        log.append("caught")
    except BaseException:
        log.append("caught base")
    finally:
        log.append(f"f{n}")
while True:
    try:
        try:
            break
        except:
            log.append("bare")
    finally:
        log.append("inner")
print(log)


def pairs():
    try:
        yield 1
        yield 2
    except Exception:
        yield "caught"
    finally:
        log.append("closed")


for item in pairs():
    break
generator = pairs()
next(generator)
generator.close()
log[-1], len(log), item
