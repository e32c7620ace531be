/* core/platform_test.c - clocks, folders and files. */
#include "core/test.h"

#include "core/platform.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void clock_advances(void **state)
{
    (void)state;
    uint64_t begin = vfx_clock_ns();
    uint64_t last = begin, polls = 0;
    for (; last - begin < 3000000u && polls < 1000000000u; ++polls) {
        uint64_t now = vfx_clock_ns();
        assert_true(now >= last); /* monotonic */
        last = now;
    }
    assert_true(last - begin >= 3000000u);
}

static void folders_with_parents(void **state)
{
    (void)state;
    char root[VFX_TEST_PATH], middle[VFX_TEST_PATH], deep[VFX_TEST_PATH], file[VFX_TEST_PATH], below[VFX_TEST_PATH];
    vfx_test_folder(root);
    vfx_test_path(middle, root, "a");
    vfx_test_path(deep, root, "a/b/");
    assert_vfx_ok(vfx_make_folder(deep));
    assert_vfx_ok(vfx_make_folder(deep)); /* again is fine */
    assert_vfx_fails(vfx_make_folder(""), VFX_IO, "empty");
    vfx_test_path(file, root, "a/b/file");
    assert_vfx_ok(vfx_write_file(file, "x", 1));
    assert_vfx_fails(vfx_make_folder(file), VFX_IO, file);
    vfx_test_path(below, root, "a/b/file/c");
    assert_vfx_fails(vfx_make_folder(below), VFX_IO, file);
    vfx_test_remove(file);
    vfx_test_remove(deep);
    vfx_test_remove(middle);
    vfx_test_remove(root);
}

static void files_round_trip(void **state)
{
    (void)state;
    enum { BYTES = 200000 };
    char root[VFX_TEST_PATH], file[VFX_TEST_PATH], temporary[VFX_TEST_PATH];
    vfx_test_folder(root);
    vfx_test_path(file, root, "data");
    vfx_test_path(temporary, root, "data.tmp");
    unsigned char *bytes = malloc(BYTES);
    assert_non_null(bytes);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7u);
    assert_vfx_ok(vfx_write_file(file, bytes, BYTES));
    FILE *left = fopen(temporary, "rb");
    assert_null(left);
    void *back = NULL;
    size_t length = 0;
    assert_vfx_ok(vfx_read_file(file, BYTES, &back, &length));
    assert_int_equal(length, BYTES);
    assert_memory_equal(back, bytes, BYTES);
    assert_int_equal(((char *)back)[BYTES], 0);
    free(back);
    free(bytes);
    assert_vfx_fails(vfx_read_file(file, BYTES - 1, &back, &length), VFX_IO, "larger than");

    const vfx_part parts[] = {{"ab", 2}, {NULL, 0}, {"c", 1}};
    assert_vfx_ok(vfx_write_file_parts(file, parts, 3));
    assert_vfx_ok(vfx_read_file(file, 3, &back, &length));
    assert_string_equal(back, "abc");
    free(back);
    vfx_test_remove(file);
    vfx_test_remove(root);
}

static void files_that_cannot_be(void **state)
{
    (void)state;
    void *data = NULL;
    size_t bytes = 0;
    char root[VFX_TEST_PATH], file[VFX_TEST_PATH];
    vfx_test_folder(root);
    vfx_test_path(file, root, "missing/data");
    assert_vfx_fails(vfx_read_file(file, 10, &data, &bytes), VFX_IO, file);
    assert_vfx_fails(vfx_write_file(file, "x", 1), VFX_IO, file);
    assert_vfx_fails(vfx_read_file(root, 10, &data, &bytes), VFX_IO, root); /* a folder */
    assert_vfx_fails(vfx_write_file(root, "x", 1), VFX_IO, root);
    char temporary[VFX_TEST_PATH + 8];
    snprintf(temporary, sizeof temporary, "%s.tmp", root);
    assert_vfx_fails(vfx_read_file(temporary, 10, &data, &bytes), VFX_IO, temporary); /* nothing is left behind */
    vfx_test_remove(root);
}

static void test_check_writable(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], temporary[VFX_TEST_PATH];
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "out.json");
    vfx_test_path(temporary, folder, "out.json.tmp");
    assert_vfx_ok(vfx_check_writable(path));
    assert_null(fopen(temporary, "rb"));
    assert_null(fopen(path, "rb"));
    assert_vfx_fails(vfx_check_writable(folder), VFX_IO, "folder");
    assert_vfx_fails(vfx_check_writable("/nonexistent/out.json"), VFX_IO, "/nonexistent/out.json");
    vfx_test_remove(folder);
}

/* Number of entries of a folder. */
static int entries_of(const char *folder)
{
    int count = 0;
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    (void)closedir(stream);
    return count;
}

static void test_neighbours_are_left_alone(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], other[VFX_TEST_PATH];
    struct stat info;
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "out.json");
    vfx_test_path(other, folder, "out.json.tmp"); /* a user's file */
    assert_vfx_ok(vfx_write_file(other, "mine", 4));
    assert_vfx_ok(vfx_check_writable(path));
    assert_vfx_ok(vfx_write_file(path, "x", 1));
    assert_int_equal(entries_of(folder), 2);
    assert_int_equal(chmod(path, 0640), 0);
    assert_vfx_ok(vfx_check_writable(path));
    assert_vfx_ok(vfx_write_file(path, "xy", 2));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 2);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(entries_of(folder), 2);
    vfx_test_remove(path);
    vfx_test_remove(other);
    vfx_test_remove(folder);
}

static void test_links_stay(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], link[VFX_TEST_PATH];
    struct stat info;
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "target");
    vfx_test_path(link, folder, "link");
    assert_int_equal(symlink("target", link), 0);
    for (size_t i = 1; i <= 2; i++) { /* the target does not exist, then it does */
        assert_vfx_ok(vfx_check_writable(link));
        assert_vfx_ok(vfx_write_file(link, "xy", i));
        assert_int_equal(lstat(link, &info), 0);
        assert_true(S_ISLNK(info.st_mode));
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_size, i);
    }
    assert_int_equal(entries_of(folder), 2);
    vfx_test_remove(link);
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

/* What is no regular file is written into; a FIFO stands for /dev/null and the like. */
static void test_fifo_stays(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], text[8] = "";
    struct stat info;
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    void *data = NULL;
    size_t bytes = 0;
    assert_vfx_fails(vfx_read_file(path, 10, &data, &bytes), VFX_IO, "no regular file"); /* at once */
    assert_vfx_ok(vfx_check_writable(path));
    assert_vfx_ok(vfx_write_file(path, "abc", 3));
    assert_int_equal(read(reader, text, sizeof text), 3);
    assert_string_equal(text, "abc");
    (void)close(reader);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(entries_of(folder), 1);
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

static void test_lists(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH];
    static const char *const names[] = {"a", "b", "c"};
    vfx_names list;
    vfx_test_folder(folder);
    assert_vfx_ok(vfx_list_folder(folder, &list));
    assert_true(list.exists && list.count == 0);
    vfx_names_free(&list);
    for (int i = 2; i >= 0; i--) {
        vfx_test_path(path, folder, names[i]);
        assert_vfx_ok(vfx_write_file(path, "x", 1));
    }
    assert_vfx_ok(vfx_list_folder(folder, &list));
    assert_int_equal(list.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(list.items[i], names[i]);
    vfx_names_free(&list);
    assert_vfx_fails(vfx_list_folder(path, &list), VFX_IO, path); /* a file */
    for (int i = 0; i < 3; i++) {
        vfx_test_path(path, folder, names[i]);
        vfx_test_remove(path);
    }
    vfx_test_remove(folder);
    assert_vfx_ok(vfx_list_folder(folder, &list));
    assert_true(!list.exists && list.count == 0);
}

/* What is in the folder `path`, names one after another. */
static void expect_entries(const char *path, const char *wanted)
{
    char text[256] = "";
    vfx_names list;
    assert_vfx_ok(vfx_list_folder(path, &list));
    for (size_t i = 0; i < list.count; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", list.items[i]);
    assert_string_equal(text, wanted);
    vfx_names_free(&list);
}

static void put_file(const char *folder, const char *name)
{
    char path[VFX_TEST_PATH];
    vfx_test_path(path, folder, name);
    assert_vfx_ok(vfx_write_file(path, "x", 1));
}

/* A folder appears as a whole, replaces an older one whole, or leaves no trace. */
static void test_whole_folders(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], link[VFX_TEST_PATH], slashes[VFX_TEST_PATH + 2];
    vfx_folder whole;
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "new");
    vfx_test_path(link, folder, "link");
    (void)snprintf(slashes, sizeof slashes, "%s//", path);
    for (int again = 0; again < 3; again++) { /* new, over one file, through a link */
        assert_vfx_ok(vfx_folder_begin(&whole, again == 0 ? slashes : again == 1 ? path : link));
        put_file(whole.temporary, again == 1 ? "b" : "a");
        if (again == 0)
            put_file(whole.temporary, "c");
        assert_vfx_ok(vfx_folder_commit(&whole));
        vfx_folder_end(&whole);
        expect_entries(path, again == 0 ? "a c " : again == 1 ? "b " : "a ");
        expect_entries(folder, again < 2 ? "new " : "link new ");
        if (again == 1)
            assert_int_equal(symlink(path, link), 0);
    }
    assert_vfx_ok(vfx_folder_begin(&whole, path));
    put_file(whole.temporary, "never");
    vfx_folder_end(&whole);
    expect_entries(path, "a ");
    expect_entries(folder, "link new ");
    vfx_test_remove(link);
    put_file(folder, "file");
    vfx_test_path(link, folder, "file");
    assert_vfx_ok(vfx_folder_begin(&whole, link)); /* a file is in the way */
    assert_vfx_fails(vfx_folder_commit(&whole), VFX_IO, link);
    vfx_folder_end(&whole);
    expect_entries(folder, "file new ");
    assert_vfx_fails(vfx_folder_begin(&whole, "/nonexistent/x"), VFX_IO, "/nonexistent/x");
    vfx_folder_end(&whole);
    assert_vfx_fails(vfx_folder_begin(&whole, ""), VFX_IO, "empty");
    assert_vfx_fails(vfx_folder_begin(&whole, "."), VFX_USAGE, "working directory");
    vfx_folder_end(&whole);
    vfx_test_remove(link);
    assert_int_equal(symlink("nowhere", link), 0);
    (void)snprintf(slashes, sizeof slashes, "%s/", link);
    for (int slash = 0; slash < 2; slash++) {
        assert_vfx_fails(vfx_folder_begin(&whole, slash ? slashes : link), VFX_IO, "leads nowhere");
        vfx_folder_end(&whole);
    }
    expect_entries(folder, "file new ");
    vfx_test_remove(link);
    vfx_test_path(link, path, "a");
    vfx_test_remove(link);
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_neighbours_are_left_alone),
    cmocka_unit_test(test_links_stay),
    cmocka_unit_test(test_fifo_stays),
    cmocka_unit_test(test_check_writable),
    cmocka_unit_test(clock_advances),
    cmocka_unit_test(folders_with_parents),
    cmocka_unit_test(files_round_trip),
    cmocka_unit_test(files_that_cannot_be),
    cmocka_unit_test(test_lists),
    cmocka_unit_test(test_whole_folders),
};
VFX_TEST_MAIN(tests)
