# The value is found inside the usual guard of a main program.
# value: 'finished'
def main():
    print("running")
    return "finished"


if __name__ == "__main__":
    main()
