# SystemExit may carry text, and finally blocks still run.
def leave():
    try:
        raise SystemExit("all done")
    except Exception:
        print("never")
    finally:
        print("cleanup")


leave()
