/* bench/main.c - the program vfxbench: the table of verbs, and --version and --help without one. */
#include "bench/commands.h"
#include "bench/states.h"
#include "core/gpu.h"
#include "core/platform.h"
#include "core/suggest.h"

#include <stdlib.h>
#include <string.h>

#ifndef VFX_VERSION
#define VFX_VERSION "unknown"
#endif
#ifndef VFX_GIT_ID
#define VFX_GIT_ID "unknown"
#endif

static const cmd_verb verbs[] = {
    {"list", CMD_LIST, cmd_list, "families, variants, presets, views and parameters", "*",
     "  vfxbench list\n  vfxbench list --names '*/*/ci'\n  vfxbench list --json 'tentacle/*'\n"},
    {"info", CMD_INFO, cmd_info, "Vulkan devices, and which cases each can run", "*",
     "  vfxbench info\n  vfxbench info --device llvmpipe '*/*/ci'\n"},
    {"run", CMD_RUN, cmd_run, "runs cases and keeps what they compute", NULL,
     "  vfxbench run tentacle/ring/ci\n  vfxbench run tentacle/ring/ci --dump out --every 10 --allow-cpu\n"
     "  vfxbench run tentacle/ring/ci --image ring.png --size 1920x1080\n"
     "  vfxbench run tentacle/ring/default --set states=off --at 60:gravity=0 --frames 120\n"},
    {"verify", CMD_VERIFY, cmd_verify, "the device against the CPU reference, or against a dump", "*/*/ci",
     "  vfxbench verify\n  vfxbench verify -v 'tentacle/*/ci' --allow-cpu\n"
     "  vfxbench verify tentacle/ring/ci --mode repeat --shader tentacle.mesh=mine.spv\n"
     "  vfxbench verify --against out --device 0\n"},
    {"golden", CMD_GOLDEN, cmd_golden, "pictures of the device's results against stored ones", "*/*/*",
     "  vfxbench golden check\n  vfxbench golden check 'tentacle/*' --device llvmpipe --md\n"
     "  vfxbench golden bless 'grass/*/meadow' --reason 'blades bend at the root now'\n",
     "[check|bless] [GLOB...]",
     "check (also without a word) draws what the device computed and compares; bless draws the CPU reference and is "
     "the "
     "only\nwriter of goldens. A GLOB selects by family/variant/view; the views are in vfxbench list; '*' also crosses "
     "the\nslashes. bless takes each view's first variant, whatever the glob's."},
    {"time", CMD_TIME, cmd_time, "GPU timings with statistics, after a check", "*/*/default",
     "  vfxbench time tentacle/ring/150k\n  vfxbench time '*/*/default' -o times.json --md\n"},
    {"compare", CMD_COMPARE, cmd_compare, "two results of time: faster, same, slower?", NULL,
     "  vfxbench compare base.json new.json\n"
     "  vfxbench compare base.json new.json 'tentacle/*' --md --fail-on-inconclusive\n"
     "  vfxbench compare h100.json h200.json --across device --threshold 1\n",
     "A.json B.json [GLOB...]",
     "A is the old result, B the new one; a GLOB selects among their cases. Only `slower` fails (exit 2). Five "
     "launches a\n"
     "side raise suspicion, ten settle it: see bench/README.md, What `compare` says."},
    {"bake", CMD_BAKE, cmd_bake, "a model's animation as textures, with its errors", NULL,
     "  vfxbench bake Fox.glb\n  vfxbench bake Fox.glb --out fox --clip Walk --clip Run --loop all --fps 15\n"
     "  vfxbench bake Knight.glb --out knight --max-error 1 --max-frames 4000 --skin red.png --skin blue.png\n"
     "  vfxbench bake Fox.glb --out fox8 --format rgba8 --scale 0.01 --sampling source --fps 8\n",
     "[MODEL.glb|MODEL.gltf]",
     "Without a model the built-in one is baked. Errors are shares of the extent, the largest side of the box over "
     "all\n"
     "frames: temporal is the pose against what playing the frames shows, 60 times a second; quantisation is the "
     "codes\n"
     "against the frames. --json prints the manifest, whose format is described in kernels/vat/bake_write.c."},
    {"report", CMD_REPORT, cmd_report, "results as one HTML page: failures, pictures, plots, device facts", NULL,
     "  vfxbench report verify.json time.json -o report.html\n"
     "  vfxbench report golden.json --goldens goldens -o report.html\n"
     "  vfxbench report monday.json tuesday.json wednesday.json -o history.html\n",
     "RESULT.json...",
     "The page needs no network and no other file. Results of several commits, in the order given, become a history."},
};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static void print_help(FILE *out)
{
    fprintf(out, "vfxbench - checks and times visual-effects compute kernels on Vulkan devices\n\n"
                 "usage: vfxbench VERB [options] [GLOB...]\n\nverbs:\n");
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out,
            "\n  vfxbench VERB --help   options and examples of a verb\n"
            "  vfxbench --version     versions of program, Vulkan header and drivers\n\n"
            "exit codes: 0 all as wanted, 1 mismatch or validation message, 2 slower, 3 inconclusive comparison\n"
            "(--fail-on-inconclusive), 4 crash, timeout or device lost, 5 files, memory or Vulkan, 64 wrong usage,\n"
            "77 nothing could run\n\nexamples:\n"
            "  vfxbench info\n  vfxbench verify 'tentacle/*/ci'\n  vfxbench time tentacle/ring/default\n");
}

static int print_version(void)
{
    vfx_device_info *list = NULL;
    uint32_t count = 0, headers[3];
    vfx_vulkan_headers(headers);
    printf("vfxbench %s (%s)\nVulkan header %u.%u.%u\n", VFX_VERSION, VFX_GIT_ID, headers[0], headers[1], headers[2]);
    if (vfx_devices(&list, &count) != VFX_OK)
        printf("no device: %s\n", vfx_message());
    for (uint32_t i = 0; i < count; i++)
        printf("device %u: %s, driver %s\n", (unsigned)list[i].index, list[i].name, list[i].driver);
    free(list);
    return CMD_EXIT_OK;
}

static const cmd_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    }
    return NULL;
}

static int unknown_verb(const char *name)
{
    const char *names[VERB_COUNT];
    char hint[256];
    for (size_t i = 0; i < VERB_COUNT; i++)
        names[i] = verbs[i].name;
    vfx_suggest(name, names, VERB_COUNT, hint, sizeof hint);
    fprintf(stderr, "vfxbench: unknown %s '%s'; %s; see vfxbench --help\n", *name == '-' ? "option" : "verb", name,
            hint);
    return CMD_EXIT_USAGE;
}

static int run_verb(const cmd_verb *verb, int argc, char *argv[])
{
    cmd_options options;
    int code = CMD_EXIT_OK;
    vfx_status status = cmd_options_parse(&options, verb, argc, argv, 2);
    if (status != VFX_OK) {
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
        code = cmd_exit_of(status, false);
    } else if (options.help) {
        cmd_help(stdout, verb);
    } else if (options.version) {
        code = print_version();
    } else {
        code = verb->run(&options);
    }
    cmd_options_free(&options);
    return code;
}

int main(int argc, char *argv[])
{
    int code;
    const char *name = argc > 1 ? argv[1] : "";
    const cmd_verb *verb = find_verb(name);
    if (verb != NULL) {
        code = run_verb(verb, argc, argv);
    } else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        code = CMD_EXIT_OK;
    } else if (strcmp(name, "--version") == 0) {
        code = print_version();
    } else if (argc < 2) {
        print_help(stderr);
        code = CMD_EXIT_USAGE;
    } else {
        code = unknown_verb(name);
    }
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "vfxbench: writing to standard output failed\n");
        code = cmd_exit_worse(code, CMD_EXIT_INFRA);
    }
    if (code == CMD_EXIT_CRASH || code == CMD_EXIT_INFRA) /* a device may still hang */
        vfx_leave(code);
    return code;
}
