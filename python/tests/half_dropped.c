// Streams of the library SluiceArrow, dropped at every moment. Run by test_memory.py under valgrind, which counts what is left.
//
//     half_dropped FEED OPTIONS        prints the rows that were seen

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

int sluice_open(const char *, const char *, struct ArrowArrayStream *);
const char *sluice_last_error(void);

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "half_dropped: %s\n", what);
        exit(1);
    }
}

// Reads that number of batches, drops the stream, and then the batches: with a column taken out of the first of them, which lives longer.
// Returns the rows.
static int64_t drop(const char *path, const char *options, int batches, int takes_schema) {
    struct ArrowArrayStream stream;
    check(sluice_open(path, options, &stream) == 0, sluice_last_error());
    if (takes_schema) {
        struct ArrowSchema schema;
        check(stream.get_schema(&stream, &schema) == 0, "there is no schema");
        check(strcmp(schema.format, "+s") == 0 && schema.n_children > 0, "the schema is no struct");
        // A child that has been moved is the mover's.
        struct ArrowSchema child = *schema.children[0];
        schema.children[0]->release = NULL;
        schema.release(&schema);
        check(schema.release == NULL, "a released schema does not say so");
        check(strlen(child.name) > 0, "a moved schema lost its name");
        child.release(&child);
    }
    struct ArrowArray arrays[16];
    int64_t rows = 0;
    int count = 0;
    while (count < batches && count < 16) {
        int status = stream.get_next(&stream, &arrays[count]);
        if (status != 0) {
            check(strlen(stream.get_last_error(&stream)) > 0, "an error without a text");
            break;
        }
        if (arrays[count].release == NULL) break;
        rows += arrays[count++].length;
    }
    stream.release(&stream);
    check(stream.release == NULL, "a released stream does not say so");
    for (int index = 0; index < count; index++) {
        struct ArrowArray child = *arrays[index].children[0];
        arrays[index].children[0]->release = NULL;
        arrays[index].release(&arrays[index]);
        check(arrays[index].release == NULL, "a released array does not say so");
        // Reads what the moved column holds: valgrind sees whether it is still there.
        const unsigned char *values = child.buffers[1];
        volatile unsigned char sum = 0;
        for (int64_t row = 0; row < child.length; row++) sum ^= values[row];
        child.release(&child);
    }
    return rows;
}

int main(int count, char **arguments) {
    check(count == 3, "arguments: FEED OPTIONS");
    for (int round = 0; round < 3; round++) {
        struct ArrowArrayStream stream;
        check(sluice_open("/nowhere/at/all", NULL, &stream) != 0 && strlen(sluice_last_error()) > 0, "a missing file is opened");
        check(sluice_open(arguments[1], "{\"colums\":1}", &stream) != 0, "an unknown option is taken");
        for (int batches = 0; batches < 5; batches++) drop(arguments[1], arguments[2], batches, batches % 2);
    }
    printf("%lld\n", (long long)drop(arguments[1], arguments[2], 16, 1));
    return 0;
}
