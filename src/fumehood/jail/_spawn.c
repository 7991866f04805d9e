/* Processes that run without a Python heap of their own.
 *
 * A process that has just been forked shares all of its memory with the original. Each page that one
 * of them writes to is copied, and Python writes to most pages that it reads. The processes below
 * therefore run this code until there is work for Python:
 *
 *   init         process 1 of a sandbox: keeps the namespaces alive, reaps children, sleeps
 *   template     has imported everything; waits until a copy of it is needed, which is a runner
 *   runner       enters the jail by a list of system calls, and only then returns to Python
 *   checkpoint   a copy of a runner that waits until the runner must be replaced
 *
 * jail/spawn.py calls these functions through ctypes (jail/kernel.py) and has the same in Python for
 * machines without this library.
 *
 * This is a plain shared library and not an extension module: building it needs a C compiler but
 * neither Python's headers nor libc, and one file works with every Python and every libc of an
 * architecture. All functions make raw system calls and use no memory but their arguments, so they
 * are async-signal-safe. Linux on x86-64 and aarch64.
 */

#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define EXPORT __attribute__((visibility("default")))

/* -- system calls -------------------------------------------------------------------------------- */

/* The result, or the negative error number. */
static inline long call6(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "only x86-64 and aarch64 are supported"
#endif
}

static inline long call3(long number, long a, long b, long c)
{
    return call6(number, a, b, c, 0, 0, 0);
}

#define ERROR_INTERRUPTED (-4)  /* -EINTR */
#define MOST_DESCRIPTORS 12     /* that a message may carry */
#define ALL_DESCRIPTORS 0x7fffffff /* gVisor takes a larger number for a negative one */
#define EXIT_FAILED 70

static _Noreturn void end_process(void)
{
    for (;;)
        call3(SYS_exit_group, EXIT_FAILED, 0, 0);
}

/* Copies this process as fork does, with the given flags besides. libc keeps the id of the only
 * thread at `thread_id`; the kernel writes the copy's id there. */
static long copy_process(unsigned long flags, int *thread_id)
{
    flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
    return call6(SYS_clone, (long)flags, 0, 0, (long)thread_id, 0, 0);
#else
    return call6(SYS_clone, (long)flags, 0, 0, 0, (long)thread_id, 0);
#endif
}

/* A received message: bytes and descriptors. The kernel writes to it. */
struct message {
    struct msghdr header;
    struct iovec part;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    } control;
};

static long receive(int socket, struct message *message, void *buffer, size_t size)
{
    message->part.iov_base = buffer;
    message->part.iov_len = size;
    message->header.msg_name = NULL;
    message->header.msg_namelen = 0;
    message->header.msg_iov = &message->part;
    message->header.msg_iovlen = 1;
    message->header.msg_control = &message->control;
    message->header.msg_controllen = sizeof message->control;
    message->header.msg_flags = 0;
    long received;
    do
        received = call3(SYS_recvmsg, socket, (long)&message->header, 0);
    while (received == ERROR_INTERRUPTED);
    return received;
}

/* -- lists of system calls ----------------------------------------------------------------------- */

#define EXPECT_SUCCESS (-1) /* any result but an error */
#define EXPECT_ANYTHING (-2)

struct call {
    long number;
    long arguments[6];
    long expected; /* this result, or one of the above */
};

struct call_list {
    struct call *calls;
    long count;
    long failed; /* the call that failed, or -1 */
    long result; /* and its result */
};

/* Makes the calls one after the other. Stops at the first that does not give what is expected. */
EXPORT void spawn_make_calls(struct call_list *list)
{
    list->failed = -1;
    for (long index = 0; index < list->count; index++) {
        const struct call *call = &list->calls[index];
        const long *with = call->arguments;
        long result = call6(call->number, with[0], with[1], with[2], with[3], with[4], with[5]);
        if (call->expected == EXPECT_ANYTHING)
            continue;
        if (result < 0 || (call->expected != EXPECT_SUCCESS && result != call->expected)) {
            list->failed = index;
            list->result = result;
            return;
        }
    }
}

/* -- init ---------------------------------------------------------------------------------------- */

/* As the kernel defines it, which is not as libc does. */
struct kernel_sigaction {
    unsigned long handler, flags, restorer, mask;
};

static const struct kernel_sigaction ignore = {(unsigned long)1 /* SIG_IGN */, 0, 0, 0};

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/* Starts the first process of the pid namespace that children of the caller are in; gives its process
 * id and a pidfd of it. When it ends, the kernel ends every process of the namespace.
 *
 * It runs in the memory of the caller (CLONE_VM), because a copy of a large process costs
 * milliseconds and megabytes. So it must not write to memory, and therefore has no stack: it is the
 * assembly below, which uses registers only, and all signals are blocked. It ignores SIGCHLD, so the
 * kernel reaps its children, closes all descriptors, and sleeps for ever. */
EXPORT long spawn_init(int *pidfd)
{
    const unsigned long all = ~0ul;
    unsigned long before = 0;
    long failed = call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0, 0);
    if (failed < 0)
        return failed;
    const unsigned long flags = CLONE_VM | CLONE_PIDFD | SIGCHLD;
#if defined(__x86_64__)
    long pid = SYS_clone;
    register long r10 __asm__("r10") = 0;
    register const void *r8 __asm__("r8") = &ignore; /* not used by clone without CLONE_SETTLS */
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 2f\n\t"
                     "mov $" TEXT(SYS_rt_sigaction) ", %%eax\n\t"
                     "mov $" TEXT(SIGCHLD) ", %%edi\n\t"
                     "mov %%r8, %%rsi\n\t"
                     "xor %%edx, %%edx\n\t"
                     "mov $8, %%r10d\n\t"
                     "syscall\n\t"
                     "mov $" TEXT(SYS_close_range) ", %%eax\n\t"
                     "xor %%edi, %%edi\n\t"
                     "mov $" TEXT(ALL_DESCRIPTORS) ", %%esi\n\t"
                     "xor %%edx, %%edx\n\t"
                     "syscall\n"
                     "1:\n\t"
                     "mov $" TEXT(SYS_ppoll) ", %%eax\n\t" /* nothing, without a timeout */
                     "xor %%edi, %%edi\n\t"
                     "xor %%esi, %%esi\n\t"
                     "xor %%edx, %%edx\n\t"
                     "xor %%r10d, %%r10d\n\t"
                     "syscall\n\t"
                     "jmp 1b\n"
                     "2:"
                     : "+a"(pid), "+r"(r10)
                     : "D"(flags), "S"(0l), "d"(pidfd), "r"(r8)
                     : "rcx", "r11", "memory", "cc");
#else
    register long pid __asm__("x0") = (long)flags;
    register long x1 __asm__("x1") = 0;
    register int *x2 __asm__("x2") = pidfd;
    register long x3 __asm__("x3") = 0;
    register const void *x4 __asm__("x4") = &ignore; /* not used by clone without a thread id */
    register long x8 __asm__("x8") = SYS_clone;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 2f\n\t"
                     "mov x8, #" TEXT(SYS_rt_sigaction) "\n\t"
                     "mov x0, #" TEXT(SIGCHLD) "\n\t"
                     "mov x1, x4\n\t"
                     "mov x2, #0\n\t"
                     "mov x3, #8\n\t"
                     "svc #0\n\t"
                     "mov x8, #" TEXT(SYS_close_range) "\n\t"
                     "mov x0, #0\n\t"
                     "mov w1, #" TEXT(ALL_DESCRIPTORS) "\n\t"
                     "mov x2, #0\n\t"
                     "svc #0\n"
                     "1:\n\t"
                     "mov x8, #" TEXT(SYS_ppoll) "\n\t" /* nothing, without a timeout */
                     "mov x0, #0\n\t"
                     "mov x1, #0\n\t"
                     "mov x2, #0\n\t"
                     "mov x3, #0\n\t"
                     "svc #0\n\t"
                     "b 1b\n"
                     "2:"
                     : "+r"(pid), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x8)
                     : "r"(x4)
                     : "memory", "cc");
#endif
    call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return pid;
}

/* -- template ------------------------------------------------------------------------------------ */

#define PACKET_BYTES 3072
#define PACKET_USUAL 'u' /* the first byte: the runner makes the calls of `usual` first */
#define HOMES 3

/* Makes a copy in the pid and mount namespaces that came with the packet, as the descriptors from
 * `first_sent` on. The template itself enters them and comes back: a copy that entered them later
 * would need the right to trace their init. Its own namespaces are open as the HOMES descriptors
 * before. */
static long copy_into_namespaces(int first_sent, int *thread_id)
{
    long result = call3(SYS_setns, first_sent, CLONE_NEWPID, 0);
    if (result >= 0)
        result = call3(SYS_setns, first_sent + 1, CLONE_NEWNS, 0);
    if (result >= 0)
        result = call3(SYS_unshare, CLONE_NEWIPC, 0, 0);
    if (result >= 0)
        result = copy_process(CLONE_PARENT, thread_id);
    if (result == 0)
        return 0;
    for (int home = 0; home < HOMES; home++)
        if (call3(SYS_setns, first_sent - HOMES + home, 0, 0) < 0)
            end_process(); /* the next copy would be in another sandbox */
    return result;
}

/* Serves packets until the socket is closed: makes a runner for each, and replies with what clone
 * gave. Returns in each runner, with the length of the packet that it was made for. */
EXPORT long spawn_serve_template(int socket, int first_sent, int *thread_id,
                                 struct call_list *usual, char packet[PACKET_BYTES])
{
    struct message message;
    for (;;) {
        long length = receive(socket, &message, packet, PACKET_BYTES);
        if (length <= 0)
            end_process();
        long pid = copy_into_namespaces(first_sent, thread_id);
        if (pid == 0) {
            if (packet[0] == PACKET_USUAL)
                spawn_make_calls(usual);
            return length;
        }
        call3(SYS_close_range, first_sent, ALL_DESCRIPTORS, 0);
        if (call3(SYS_write, socket, (long)&pid, sizeof pid) != sizeof pid)
            end_process();
    }
}

/* -- copies of runners --------------------------------------------------------------------------- */

struct range {
    void *start;
    size_t size;
};

/* Makes a checkpoint of this process; gives its process id, or a negative error number. The checkpoint
 * waits for a byte and returns 0; `received` is the descriptor that came with it, or -1. When this
 * process writes to memory, its pages must be copied. The checkpoint copies those `touched` by the
 * next cell, so this process need not. */
EXPORT long spawn_checkpoint(int socket, int *thread_id, const struct range *touched, long count,
                             int *received)
{
    long pid = copy_process(0, thread_id);
    if (pid != 0)
        return pid;
    call3(SYS_setsid, 0, 0, 0); /* signals to the runner's group are not for the checkpoint */
    for (const struct range *range = touched; range < touched + count; range++)
        call3(SYS_madvise, (long)range->start, (long)range->size, 23 /* MADV_POPULATE_WRITE */);
    struct message message;
    char byte;
    long length = receive(socket, &message, &byte, 1);
    const struct cmsghdr *control = &message.control.header;
    *received = -1;
    if (length == 1 && message.header.msg_controllen >= CMSG_LEN(sizeof(int)) &&
        control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS)
        *received = *(const int *)CMSG_DATA(control);
    return 0;
}

#define ID_DIGITS 10

/* Copies this process, and sends a reply before Python runs again: a reply that Python composes after
 * the fork costs as much as the fork. The copy's process id becomes ID_DIGITS bytes at `id_place`.
 * Gives what fork gives, or a negative error number; `sent` is what send gives. */
EXPORT long spawn_copy(int *thread_id, int socket, char *reply, size_t size, char *id_place,
                       long *sent)
{
    long pid = copy_process(0, thread_id);
    if (pid <= 0)
        return pid;
    char *digit = id_place + ID_DIGITS;
    for (long rest = pid, count = 0; count < ID_DIGITS; count++, rest /= 10)
        *--digit = rest != 0 || count == 0 ? (char)('0' + rest % 10) : ' ';
    *sent = call6(SYS_sendto, socket, (long)reply, (long)size, MSG_NOSIGNAL, 0, 0);
    return pid;
}

/* -- memory -------------------------------------------------------------------------------------- */

#define ARENA_BYTES (1ul << 20)

struct arenas {
    char *next, *end;
    void *(*allocate)(void *, size_t); /* Python's own allocator, for what does not fit */
    void *context;
};

/* An arena allocator for Python: takes arenas from one range of memory (worker/memory.py). Python
 * also allocates frame stacks here, which have other sizes and are soon freed. */
EXPORT void *spawn_allocate_arena(struct arenas *arenas, size_t size)
{
    if (size != ARENA_BYTES || (size_t)(arenas->end - arenas->next) < size)
        return arenas->allocate(arenas->context, size);
    void *arena = arenas->next;
    arenas->next += size;
    return arena;
}

/* -- for the caller ------------------------------------------------------------------------------ */

/* Changes with the functions above, so that a library of another version is not used. */
EXPORT const int spawn_version = 3;
