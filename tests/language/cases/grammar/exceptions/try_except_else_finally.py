# Each combination of clauses runs in its order.
def run(action):
    try:
        print("try", end=" ")
        action()
    except ZeroDivisionError:
        print("zero", end=" ")
    except (KeyError, IndexError) as error:
        print(type(error).__name__, end=" ")
    except Exception:
        print("other", end=" ")
    else:
        print("else", end=" ")
    finally:
        print("finally")


run(lambda: None)
run(lambda: 1 / 0)
run(lambda: {}["k"])
run(lambda: [][0])
run(lambda: int("x"))
