/* Calls the functions of _spawn.c that an emulator of user programs can run: not those that need
 * namespaces or share memory between processes. Exits with the number of the line that failed. */
#include "../../src/fumehood/jail/_spawn.c"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) \
            _exit(__LINE__ & 0xff ? __LINE__ & 0xff : 1); \
    } while (0)

static void *plain_malloc(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static int thread_id;

static int exit_code(pid_t pid)
{
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void send_descriptor(int socket, const void *bytes, size_t size, int descriptor)
{
    struct message message;
    memset(&message, 0, sizeof message);
    message.part.iov_base = (void *)bytes;
    message.part.iov_len = size;
    message.header.msg_iov = &message.part;
    message.header.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.header.msg_control = &message.control;
        message.header.msg_controllen = CMSG_SPACE(sizeof(int));
        message.control.header.cmsg_level = SOL_SOCKET;
        message.control.header.cmsg_type = SCM_RIGHTS;
        message.control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&message.control.header), &descriptor, sizeof descriptor);
    }
    CHECK(sendmsg(socket, &message.header, 0) == (ssize_t)size);
}

static void try_calls(void)
{
    struct call calls[] = {
        {SYS_getpid, {0}, getpid()},
        {SYS_close, {-1}, EXPECT_ANYTHING},
        {SYS_write, {1, (long)"calls\n", 6}, 6},
        {SYS_close, {-1}, EXPECT_SUCCESS},
    };
    struct call_list list = {calls, 3, 7, 0};
    spawn_make_calls(&list);
    CHECK(list.failed == -1);
    list.count = 4;
    spawn_make_calls(&list);
    CHECK(list.failed == 3 && list.result == -9 /* EBADF */);
    calls[0].expected = getpid() + 1;
    spawn_make_calls(&list);
    CHECK(list.failed == 0 && list.result == getpid());
}

static void try_checkpoint(void)
{
    int sockets[2], channel[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe(channel) == 0);
    char *memory = malloc(1 << 16);
    struct range touched = {(void *)(((uintptr_t)memory + 4095) & ~4095ul), 4096};
    int received = -1;
    long pid = spawn_checkpoint(sockets[0], &thread_id, &touched, 1, &received);
    if (pid == 0)
        _exit(write(received, "checkpoint\n", 11) == 11 ? 5 : 6);
    CHECK(pid > 0);
    send_descriptor(sockets[1], "g", 1, 1);
    CHECK(exit_code((pid_t)pid) == 5);
}

static void try_copy(void)
{
    int sockets[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    char reply[] = "{\"pid\":         0}", got[64] = {0};
    long sent = 0;
    long pid = spawn_copy(&thread_id, sockets[0], reply, sizeof reply - 1, reply + 7, &sent);
    if (pid == 0)
        _exit(7);
    CHECK(exit_code((pid_t)pid) == 7 && sent == (long)sizeof reply - 1);
    CHECK(read(sockets[1], got, sizeof got) == (ssize_t)sizeof reply - 1);
    CHECK(strtol(got + 7, NULL, 10) == pid && got[6] == ':' && got[17] == '}');
}

static void try_arenas(void)
{
    char *range = malloc(2 * ARENA_BYTES);
    struct arenas arenas = {range, range + 2 * ARENA_BYTES, plain_malloc, NULL};
    CHECK(spawn_allocate_arena(&arenas, ARENA_BYTES) == range);
    char *other = spawn_allocate_arena(&arenas, 4096);
    CHECK(other < range || other >= range + 2 * ARENA_BYTES);
    CHECK(spawn_allocate_arena(&arenas, ARENA_BYTES) == range + ARENA_BYTES);
    other = spawn_allocate_arena(&arenas, ARENA_BYTES);
    CHECK(other < range || other >= range + 2 * ARENA_BYTES);
}

int main(void)
{
    try_calls();
    try_checkpoint();
    try_copy();
    try_arenas();
    return 0;
}
