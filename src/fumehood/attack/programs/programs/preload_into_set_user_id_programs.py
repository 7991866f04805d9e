# aim: have a library of its own run with the rights of a set-user-id program
# mechanism: LD_PRELOAD for programs of the machine
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: privileges
# plain: none (a plain run is root already)
# expect: held
# runs: gcc
SOURCE = r"""
unsigned la_version(unsigned version) { return version; }
__attribute__((constructor)) static void begin(void) {
    uid_t real, effective, saved;
    getresuid(&real, &effective, &saved);
    if (effective != real || saved != real) {
        int told = open("/home/user/told", O_WRONLY | O_CREAT, 0644);
        dprintf(told, "runs as user %d", effective);
    }
}
"""

def load():
    library = compile_c(SOURCE, "library.so", "-shared", "-fPIC")
    for path in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"):
        if os.path.exists(path):
            run_program([path, "--version"], env={"LD_PRELOAD": library})
    return open("/home/user/told").read() if os.path.exists("/home/user/told") else None

judge(load)
