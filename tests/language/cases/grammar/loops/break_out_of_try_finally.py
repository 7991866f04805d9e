# Leaving a loop from inside try runs the finally blocks on the way.
for n in range(4):
    try:
        if n == 1:
            continue
        if n == 3:
            break
        print("body", n)
    except Exception:
        print("never: break and continue are not exceptions")
    else:
        print("else", n)
    finally:
        print("finally", n)
else:
    print("never: the loop was broken")
