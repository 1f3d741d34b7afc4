/* Put before libc (LD_PRELOAD), this lets chosen system calls on the files of one folder fail for as
   long as another process says so, in a file that both have mapped (see failing_calls.py). */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE, READ, SYNC, TRUNCATE, OPEN, MAP, UNLINK, RENAME, STAT, LOCK, KINDS };
enum { SHORT = -1 };

struct rule {
    int32_t error; /* errno, SHORT, or 0: nothing fails */
    int32_t after; /* so many calls go well first */
    int32_t times; /* so many fail then */
    int32_t failed;
};

struct control {
    int32_t log_too;
    struct rule rules[KINDS];
};

static struct control *control;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RIVERBOAT_FAILING");
    folder = getenv("RIVERBOAT_FAILING_IN");
    if (!path || !folder) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) control = mapped;
}

static int is_ours(const char *path) {
    size_t length = strlen(path);
    if (!strncmp(path, folder, strlen(folder))) return 1;
    return control->log_too && length > 4 && !strcmp(path + length - 4, ".log");
}

/* What a call has to fail with: 0, where it goes its way. */
static int failure(int kind, const char *path, int descriptor) {
    if (!control) return 0;
    struct rule *rule = &control->rules[kind];
    int32_t error = __atomic_load_n(&rule->error, __ATOMIC_SEQ_CST);
    if (!error) return 0;
    char own[4096];
    if (!path) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, own, sizeof own - 1);
        if (length < 0) return 0;
        own[length] = 0;
        path = own;
    }
    if (!is_ours(path)) return 0;
    if (__atomic_fetch_sub(&rule->after, 1, __ATOMIC_SEQ_CST) > 0) return 0;
    if (__atomic_fetch_sub(&rule->times, 1, __ATOMIC_SEQ_CST) <= 0) return 0;
    __atomic_fetch_add(&rule->failed, 1, __ATOMIC_SEQ_CST);
    return error;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILS(kind, path, descriptor)                \
    int error = failure(kind, path, descriptor);     \
    if (error > 0) {                                 \
        errno = error;                               \
        return -1;                                   \
    }

#define WRITING(name, offset_type)                                                   \
    ssize_t name(int file, const void *data, size_t count, offset_type offset) {     \
        FAILS(WRITE, NULL, file)                                                     \
        return REAL(name)(file, data, error == SHORT ? count / 2 : count, offset);   \
    }
WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

ssize_t write(int file, const void *data, size_t count) {
    FAILS(WRITE, NULL, file)
    return REAL(write)(file, data, error == SHORT && count > 1 ? count / 2 : count);
}

#define READING(name, offset_type)                                             \
    ssize_t name(int file, void *data, size_t count, offset_type offset) {     \
        FAILS(READ, NULL, file)                                                \
        return REAL(name)(file, data, count, offset);                          \
    }
READING(pread, off_t)
READING(pread64, off64_t)

#define OF_A_FILE(name, kind, more, ...)     \
    int name(int file more) {                \
        FAILS(kind, NULL, file)              \
        return REAL(name)(file __VA_ARGS__); \
    }
#define COMMA ,
OF_A_FILE(fsync, SYNC, )
OF_A_FILE(fdatasync, SYNC, )
OF_A_FILE(ftruncate, TRUNCATE, COMMA off_t length, COMMA length)
OF_A_FILE(ftruncate64, TRUNCATE, COMMA off64_t length, COMMA length)
OF_A_FILE(fstat, STAT, COMMA struct stat *found, COMMA found)
OF_A_FILE(fstat64, STAT, COMMA struct stat64 *found, COMMA found)

int stat(const char *path, struct stat *found) {
    FAILS(STAT, path, -1)
    return REAL(stat)(path, found);
}

int stat64(const char *path, struct stat64 *found) {
    FAILS(STAT, path, -1)
    return REAL(stat64)(path, found);
}

#define OPENING(name)                                     \
    int name(const char *path, int flags, ...) {          \
        va_list more;                                     \
        va_start(more, flags);                            \
        mode_t mode = va_arg(more, mode_t);               \
        va_end(more);                                     \
        FAILS(OPEN, path, -1)                             \
        return REAL(name)(path, flags, mode);             \
    }
OPENING(open)
OPENING(open64)

#define MAPPING(name, offset_type)                                                             \
    void *name(void *at, size_t length, int rights, int flags, int file, offset_type offset) { \
        int error = file < 0 ? 0 : failure(MAP, NULL, file);                                   \
        if (error > 0) {                                                                       \
            errno = error;                                                                     \
            return MAP_FAILED;                                                                 \
        }                                                                                      \
        return REAL(name)(at, length, rights, flags, file, offset);                            \
    }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

int unlink(const char *path) {
    FAILS(UNLINK, path, -1)
    return REAL(unlink)(path);
}

int rename(const char *from, const char *to) {
    FAILS(RENAME, from, -1)
    return REAL(rename)(from, to);
}

#define CONTROLLING(name)                                                                  \
    int name(int file, int command, ...) {                                                 \
        va_list more;                                                                      \
        va_start(more, command);                                                           \
        void *argument = va_arg(more, void *);                                             \
        va_end(more);                                                                      \
        if (command == F_SETLK || command == F_SETLKW) {                                   \
            struct flock *wanted = argument;                                               \
            if (wanted->l_type != F_UNLCK) {                                               \
                FAILS(LOCK, NULL, file)                                                    \
            }                                                                              \
        }                                                                                  \
        return REAL(name)(file, command, argument);                                        \
    }
CONTROLLING(fcntl)
CONTROLLING(fcntl64)
