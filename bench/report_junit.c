/* bench/report_junit.c - the result document as JUnit XML, which continuous integration shows. */
#include "bench/grow.h"
#include "bench/report_views.h"
#include "bench/states.h"

#include <stdlib.h>
#include <string.h>

/* How JUnit counts a state. */
typedef enum verdict { PASSED, FAILURE, ERROR, SKIPPED, VERDICTS } verdict;

static const char *const elements[VERDICTS] = {NULL, "failure", "error", "skipped"};

static verdict verdict_of(const char *state)
{
    for (uint32_t i = 0; i < CMD_STATE_COUNT; i++) {
        if (strcmp(state, cmd_state_name((cmd_state)i)) != 0)
            continue;
        cmd_tally one = {{0}};
        one.count[i] = 1;
        int code = cmd_tally_exit(&one, false, false);
        return code == CMD_EXIT_OK         ? PASSED
               : code == CMD_EXIT_MISMATCH ? FAILURE
               : code == CMD_EXIT_SKIP     ? SKIPPED
                                           : ERROR;
    }
    return ERROR;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* Text as XML 1.0 allows it, in attributes and elements: line ends survive, other controls become '?'. */
static void add_escaped(cmd_grow *xml, const char *text, size_t length)
{
    static const struct {
        char character;
        const char *escaped;
    } rows[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},   {'"', "&quot;"},
                {'\'', "&#39;"}, {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};
    for (size_t i = 0; i < length; i++) {
        const char *with = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? "?" : NULL;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            with = text[i] == rows[k].character ? rows[k].escaped : with;
        if (strncmp(text + i, "\xef\xbf\xbe", 3) == 0 || strncmp(text + i, "\xef\xbf\xbf", 3) == 0) {
            with = "?"; /* U+FFFE and U+FFFF are no characters */
            i += 2;
        }
        cmd_grow_bytes(xml, with != NULL ? with : text + i, with != NULL ? strlen(with) : 1);
    }
}

static void add_attribute(cmd_grow *xml, const char *name, const char *text, size_t length)
{
    cmd_grow_format(xml, " %s=\"", name);
    add_escaped(xml, text, length);
    cmd_grow_text(xml, "\"");
}

/* What a case did not do, with the command that repeats it. */
static void add_verdict(cmd_grow *xml, const json_t *object, verdict how)
{
    const char *reason = text_at(object, "reason"), *state = text_at(object, "state"),
               *repro = text_at(object, "repro");
    cmd_grow_format(xml, "      <%s", elements[how]);
    add_attribute(xml, "message", reason, strcspn(reason, "\n"));
    if (how == SKIPPED) {
        cmd_grow_text(xml, "/>\n");
        return;
    }
    add_attribute(xml, "type", state, strlen(state));
    cmd_grow_text(xml, ">");
    add_escaped(xml, reason, strlen(reason));
    if (*repro != '\0') {
        cmd_grow_text(xml, "&#10;repeat with: ");
        add_escaped(xml, repro, strlen(repro));
    }
    cmd_grow_format(xml, "</%s>\n", elements[how]);
}

/* "tentacle/ring/ci[sides=6]": class tentacle.ring, name ci[sides=6]. */
static void add_case(cmd_grow *xml, const json_t *object)
{
    const char *id = text_at(object, "id");
    size_t family = strcspn(id, "/"), variant = id[family] != '\0' ? strcspn(id + family + 1, "/") : 0;
    size_t both = id[family] != '\0' ? family + 1 + variant : family;
    const char *name = id[both] == '/' ? id + both + 1 : id;
    verdict how = verdict_of(text_at(object, "state"));
    cmd_grow_text(xml, "    <testcase classname=\"");
    add_escaped(xml, id, family);
    if (id[family] != '\0') {
        cmd_grow_text(xml, ".");
        add_escaped(xml, id + family + 1, variant);
    }
    cmd_grow_text(xml, "\"");
    add_attribute(xml, "name", name, strlen(name));
    cmd_grow_format(xml, " time=\"%.3f\"", json_number_value(json_object_get(object, "host_wall_ns")) / 1e9);
    if (how == PASSED) {
        cmd_grow_text(xml, "/>\n");
        return;
    }
    cmd_grow_text(xml, ">\n");
    add_verdict(xml, object, how);
    cmd_grow_text(xml, "    </testcase>\n");
}

static void add_property(cmd_grow *xml, const char *name, const char *value)
{
    cmd_grow_text(xml, "      <property");
    add_attribute(xml, "name", name, strlen(name));
    add_attribute(xml, "value", value, strlen(value));
    cmd_grow_text(xml, "/>\n");
}

static void add_counts(cmd_grow *xml, const char *element, const char *name, const json_t *cases)
{
    size_t counts[VERDICTS] = {0};
    double seconds = 0.0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *object = json_array_get(cases, i);
        counts[verdict_of(text_at(object, "state"))]++;
        seconds += json_number_value(json_object_get(object, "host_wall_ns")) / 1e9;
    }
    cmd_grow_format(xml, "<%s", element);
    add_attribute(xml, "name", name, strlen(name));
    cmd_grow_format(xml, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
                    json_array_size(cases), counts[FAILURE], counts[ERROR], counts[SKIPPED], seconds);
}

vfx_status cmd_report_junit(const json_t *report, char **text)
{
    const json_t *cases = json_object_get(report, "cases"), *device = json_object_get(report, "device");
    const json_t *tool = json_object_get(report, "tool");
    cmd_grow xml = {0};
    cmd_grow_text(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add_counts(&xml, "testsuites", "vfxbench", cases);
    cmd_grow_text(&xml, "  ");
    add_counts(&xml, "testsuite", text_at(report, "verb"), cases);
    cmd_grow_text(&xml, "    <properties>\n");
    add_property(&xml, "version", text_at(tool, "version"));
    add_property(&xml, "git", text_at(tool, "git"));
    add_property(&xml, "device", text_at(device, "name"));
    add_property(&xml, "driver", text_at(device, "driver"));
    cmd_grow_text(&xml, "    </properties>\n");
    for (size_t i = 0; i < json_array_size(cases); i++)
        add_case(&xml, json_array_get(cases, i));
    cmd_grow_text(&xml, "  </testsuite>\n</testsuites>\n");
    *text = xml.text;
    if (!xml.failed)
        return VFX_OK;
    free(xml.text);
    *text = NULL;
    return vfx_fail(VFX_MEMORY, "out of memory for the result as JUnit XML");
}
