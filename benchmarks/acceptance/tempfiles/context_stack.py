import contextlib
import os
import tempfile


def concatenate(texts):
    """Write each text to its own temporary file, then read all of them at once."""
    with contextlib.ExitStack() as stack:
        files = []
        for text in texts:
            file = stack.enter_context(tempfile.NamedTemporaryFile("w+"))
            file.write(text)
            file.seek(0)
            files.append(file)
        names = [file.name for file in files]
        assert all(os.path.exists(name) for name in names)
        result = "|".join(file.read() for file in files)
        stack.callback(print, "closing", len(files), "files")
    assert not any(os.path.exists(name) for name in names)
    return result


print(concatenate(["alpha", "beta", "gamma"]))
with contextlib.chdir(tempfile.mkdtemp()) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
    open("inside.txt", "w").close()
    print(os.listdir())
