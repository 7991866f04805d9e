# The usual main guard is true.
def main(argv=None):
    print("running as", __name__)
    return 0


if __name__ == "__main__":
    print(main())
