import argparse
import json
import os
import sys

STORE = "tasks.json"


def load():
    if not os.path.exists(STORE):
        return []
    with open(STORE) as file:
        return json.load(file)


def save(tasks):
    with open(STORE, "w") as file:
        json.dump(tasks, file)


def main(argv=None):
    parser = argparse.ArgumentParser(prog="tasks")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("list")
    commands.add_parser("add").add_argument("text", nargs="+")
    commands.add_parser("done").add_argument("number", type=int)
    args = parser.parse_args(argv)
    tasks = load()
    if args.command == "add":
        tasks.append({"text": " ".join(args.text), "done": False})
    elif args.command == "done":
        try:
            tasks[args.number - 1]["done"] = True
        except IndexError:
            print(f"no task {args.number}", file=sys.stderr)
            return 1
    else:
        for number, task in enumerate(tasks, 1):
            print(number, "x" if task["done"] else " ", task["text"])
    save(tasks)
    return 0


if __name__ == "__main__":
    for line in ("add buy milk", "add call Bob", "done 1", "list", "done 9"):
        code = main(line.split())
    sys.exit(code)
