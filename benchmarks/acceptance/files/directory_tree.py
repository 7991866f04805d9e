import os
import shutil


def make_tree(root):
    for folder, names in {"src": ["main.py", "util.py"], "docs/img": ["a.png"], "empty": []}.items():
        path = os.path.join(root, *folder.split("/"))
        os.makedirs(path)
        for name in names:
            with open(os.path.join(path, name), "wb") as file:
                file.write(b"x" * (len(name) * 10))


def show(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        depth = os.path.relpath(folder, root).count(os.sep) if folder != root else -1
        print("  " * (depth + 1) + os.path.basename(folder) + "/")
        for name in sorted(files):
            size = os.stat(os.path.join(folder, name)).st_size
            print("  " * (depth + 2) + f"{name} ({size})")


make_tree("project")
show("project")
shutil.copytree("project", "backup")
shutil.rmtree("project")
print(os.path.isdir("project"), sorted(os.listdir("backup")))
