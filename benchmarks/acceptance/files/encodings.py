from pathlib import Path

TEXT = "Größe: 5 €, naïve café — 東京\n"
for encoding in ("utf-8", "utf-16", "utf-8-sig", "cp1252", "ascii"):
    try:
        Path("text.txt").write_text(TEXT, encoding=encoding)
    except UnicodeEncodeError as error:
        print(f"{encoding}: cannot encode {error.object[error.start]!r} at {error.start}")
        continue
    raw = Path("text.txt").read_bytes()
    print(encoding, len(raw), raw[:4], Path("text.txt").read_text(encoding=encoding) == TEXT)
Path("latin.txt").write_bytes("café".encode("latin-1"))
try:
    open("latin.txt", encoding="utf-8").read()
except UnicodeDecodeError as error:
    print(error)
print(open("latin.txt", encoding="utf-8", errors="replace").read())
with open("lines.txt", "w", newline="\r\n") as file:
    file.write("a\nb\n")
print(open("lines.txt", "rb").read(), open("lines.txt").readlines(), open("lines.txt", newline="").readlines())
