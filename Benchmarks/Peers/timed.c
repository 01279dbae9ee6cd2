// `timed FILE COMMAND…` runs a command, and writes into a file what it took: seconds elapsed, seconds of processor time, MiB at most.
// The memory of a child is at least that of the process that starts it, so this one is small.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) return 64;
    struct timeval start, end;
    struct rusage usage;
    int status;
    gettimeofday(&start, NULL);
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return 71;
    gettimeofday(&end, NULL);
#ifdef __APPLE__
    double mebibytes = (double)usage.ru_maxrss / 1048576;
#else
    double mebibytes = (double)usage.ru_maxrss / 1024;
#endif
    FILE *file = fopen(arguments[1], "w");
    if (file == NULL) return 73;
    fprintf(file, "%f %f %f\n", seconds(end) - seconds(start), seconds(usage.ru_utime) + seconds(usage.ru_stime), mebibytes);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
