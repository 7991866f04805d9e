import argparse
import sys


def main():
    parser = argparse.ArgumentParser(prog="convert")
    parser.add_argument("--input", default="data.csv")
    parser.add_argument("--rows", type=int, default=10)
    args = parser.parse_args()
    print(args.input, args.rows)


if __name__ == "__main__":
    main()
    sys.argv = ["convert", "--rows", "25", "--input=other.csv"]
    main()
    print(len(sys.argv), sys.argv[1:])
