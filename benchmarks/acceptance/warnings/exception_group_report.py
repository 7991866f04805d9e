import traceback


def validate(record):
    errors = []
    for key, check in {"age": lambda v: 0 <= v < 150, "name": str.strip}.items():
        try:
            if not check(record[key]):
                raise ValueError(f"invalid {key}: {record[key]!r}")
        except (KeyError, ValueError) as error:
            errors.append(error)
    if errors:
        raise ExceptionGroup("invalid record", errors)


for record in ({"age": 30, "name": "Ann"}, {"age": 200, "name": " "}, {"age": -1}):
    try:
        validate(record)
        print("ok")
    except* ValueError as group:
        print("values", [str(error) for error in group.exceptions])
    except* KeyError as group:
        print("keys", group.exceptions)
try:
    validate({})
except ExceptionGroup as group:
    print(group.message, len(group.exceptions), group.split(KeyError)[1])
    print("".join(traceback.format_exception_only(group)).strip())
