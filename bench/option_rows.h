/* bench/option_rows.h - the option table, part of options.c alone: what command line, environment and --help know. */
#ifndef BENCH_OPTION_ROWS_H
#define BENCH_OPTION_ROWS_H

#include "bench/options.h"
#include "core/run.h"         /* the modes */
#include "kernels/vat/bake.h" /* formats and samplings */

#include <stddef.h>

static const char *const validation_names[] = {"off", "auto", "require", NULL};      /* in vfx_validation order */
static const char *const check_names[] = {"auto", "full", "quick", NULL};            /* in cmd_check_extent order */
static const char *const mode_names[] = {"step-locked", "free-run", "repeat", NULL}; /* in vfx_mode order */
_Static_assert(VFX_STEP_LOCKED == 0 && VFX_FREE_RUN == 1 && VFX_REPEAT == 2, "mode_names is in enum order");

enum { CASES = CMD_RUN | CMD_VERIFY | CMD_TIME, RUNS = CASES | CMD_GOLDEN, DEVICES = RUNS | CMD_INFO };

#define CONTINUED "                                   " /* up to the column of the help texts */
#define AT(member) offsetof(cmd_options, member)
static const cmd_option rows[] = {
    /* which device */
    {"device", 0, "ID", CMD_TEXT, DEVICES, AT(device), 0, 0, 0, NULL, "device by UUID, name substring or index"},
    {"allow-cpu", 0, "", CMD_FLAG, DEVICES, AT(allow_cpu), 0, 0, 0, NULL,
     "software (CPU) devices may be chosen without being named"},
    {"require-device", 0, "", CMD_FLAG, DEVICES, AT(require_device), 0, 0, 0, NULL,
     "exit 5 instead of 77 when no device can run anything"},
    {"validation", 0, "HOW", CMD_CHOICE, CMD_RUN | CMD_VERIFY | CMD_GOLDEN, AT(validation), 1, 0, 0, validation_names,
     "Vulkan validation layer: off, auto (when installed) or require"},
    {"fence-timeout", 0, "SECONDS", CMD_F64, RUNS, AT(fence_timeout), 10, 0.001, 3600, NULL,
     "give up on a submission after so long"},
    /* which cases */
    {"exclude", 0, "GLOB", CMD_VALUES, CMD_SELECT | CMD_GOLDEN, AT(exclude), 0, 0, 0, NULL,
     "leave out cases that match; repeatable"},
    {"set", 0, "NAME=VALUE", CMD_VALUES, CASES | CMD_INFO, AT(set), 0, 0, 0, NULL,
     "set a parameter of every selected case; repeatable"},
    {"at", 0, "FRAME:NAME=VALUE", CMD_VALUES, CASES, AT(at), 0, 0, 0, NULL,
     "change a live parameter before a frame; repeatable"},
    {"axis", 0, "NAME=VALUES", CMD_VALUES, CASES | CMD_LIST, AT(axis), 0, 0, 0, NULL,
     "sweep a parameter: 1k:64k:*2, 10:50:+10 or 1k,5k,1M; repeatable, every combination"},
    {"frames", 0, "N", CMD_U32, CASES, AT(frames), 0, 1, 10000000, NULL,
     "frames of a run (default: the preset's); the sweeps of verify keep their own number"},
    {"dt", 0, "SECONDS", CMD_F64, CASES, AT(dt), 0, 1e-9, 1000, NULL, "time step (default: 1/60)"},
    {"seed", 0, "N", CMD_U32, CASES, AT(seed), 1, 0, 4294967295.0, NULL, "seed of everything random"},
    {"shader", 0, "FAMILY.PASS=FILE.spv", CMD_VALUES, RUNS, AT(shader), 0, 0, 0, NULL,
     "run this SPIR-V in place of a built-in pass, on the one variant it was written for;\n" CONTINUED
     "repeatable; pass names are in `vfxbench list`. Compile with\n" CONTINUED
     "glslc --target-env=vulkan1.2 -O -I REPOSITORY FILE -o FILE.spv"},
    {"workgroup", 0, "N", CMD_U32, RUNS, AT(workgroup), 0, 1, 1024, NULL,
     "workgroup size of every pass (default: each pass's own)"},
    /* what to do with them */
    {"mode", 0, "MODE", CMD_CHOICE, CMD_VERIFY, AT(mode), 0, 0, 0, mode_names,
     "step-locked: every frame from the device's own state; free-run: from the same start; repeat: equal twice"},
    {"no-sweeps", 0, "", CMD_FLAG, CMD_VERIFY, AT(no_sweeps), 0, 0, 0, NULL,
     "step-locked: leave out the other values of the case's options"},
    {"against", 0, "DIR", CMD_TEXT, CMD_VERIFY, AT(against), 0, 0, 0, NULL,
     "compare with a dump (its case and parameters) instead of the CPU reference"},
    {"dump", 0, "DIR", CMD_TEXT, CMD_RUN, AT(dump), 0, 0, 0, NULL,
     "write every buffer as .npy with a manifest.json; several cases: one folder each below DIR"},
    {"every", 0, "K", CMD_U32, CMD_RUN, AT(every), 0, 1, 10000000, NULL,
     "dump, or draw FILE.000060.png, every K frames and the last (default: only the last)"},
    {"image", 0, "FILE.png", CMD_TEXT, CMD_RUN, AT(image), 0, 0, 0, NULL,
     "draw what the device computed; several cases: FILE-family-variant-preset.png"},
    {"view", 0, "NAME", CMD_TEXT, CMD_RUN, AT(view), 0, 0, 0, NULL,
     "how to draw it (default: the family's first view)"},
    {"size", 0, "WxH", CMD_TEXT, CMD_RUN, AT(size), 0, 0, 0, NULL, "pixels of the picture (default: 1280x720)"},
    {"goldens", 0, "DIR", CMD_TEXT, CMD_GOLDEN | CMD_REPORT, AT(goldens), 0, 0, 0, NULL,
     "folder of the goldens (default: goldens here, else in the source tree; report: none)"},
    {"reason", 0, "TEXT", CMD_TEXT, CMD_GOLDEN, AT(reason), 0, 0, 0, NULL,
     "bless: why the pictures change, kept with each of them"},
    {"capture", 0, "", CMD_FLAG, CMD_RUN, AT(capture), 0, 0, 0, NULL,
     "for graphics debuggers: frame 1, or the last of --frames, in one submission of its own,\n" CONTINUED
     "with names and labels; nothing is filled before or read after"},
    {"launches", 0, "N", CMD_U32, CMD_TIME, AT(launches), 5, 1, 100, NULL,
     "fresh processes that each time every case; 1: this process itself"},
    {"launch-child", 0, "PLAN", CMD_TEXT, CMD_TIME, AT(launch_child), 0, 0, 0, NULL, NULL},
    {"case-limit", 0, "SECONDS", CMD_F64, CMD_TIME, AT(case_limit), 300, 0.01, 86400, NULL,
     "kill a launch that says nothing for so long"},
    {"runs", 0, "N", CMD_U32, CMD_TIME, AT(runs), 10, 1, 1000, NULL,
     "fewest timed runs of a launch, unless --max-time ends first"},
    {"min-time", 0, "SECONDS", CMD_F64, CMD_TIME, AT(min_time), 0.5, 0, 3600, NULL, "GPU time of a launch, at least"},
    {"max-time", 0, "SECONDS", CMD_F64, CMD_TIME, AT(max_time), 0, 0.01, 3600, NULL,
     "wall time of a case in a launch, at most (default 15; software devices: 1); wins over\n" CONTINUED
     "the two above. Once they are met, runs go on until the times are steady (relative IQR\n" CONTINUED
     "<= 2 %) or stable (the median moves by <= 0.5 % while the runs double), or there are\n" CONTINUED
     "1000 runs; the result says which in `stop`"},
    {"check", 0, "EXTENT", CMD_CHOICE, CMD_TIME, AT(check), 0, 0, 0, check_names,
     "the check before: full (as verify '*/*/ci'), quick (its first 20 frames, no sweeps) or\n" CONTINUED
     "auto: full, on software devices quick"},
    {"unchecked", 0, "", CMD_FLAG, CMD_TIME, AT(unchecked), 0, 0, 0, NULL, "time without checking the results first"},
    {"cpu", 0, "", CMD_FLAG, CMD_TIME, AT(cpu), 0, 0, 0, NULL, "time a few frames of the CPU reference too"},
    {"fail-on-skip", 0, "", CMD_FLAG, RUNS, AT(fail_on_skip), 0, 0, 0, NULL,
     "exit 1 when a case is unsupported or skipped"},
    /* how to compare */
    {"threshold", 0, "PERCENT", CMD_F64, CMD_COMPARE, AT(threshold), 3, 0, 1000, NULL,
     "changes up to so much of A's time do not count"},
    {"min-change", 0, "US", CMD_F64, CMD_COMPARE, AT(min_change), 2, 0, 1e9, NULL,
     "nor do changes up to so many microseconds"},
    {"across", 0, "KIND", CMD_VALUES, CMD_COMPARE, AT(across), 0, 0, 0, NULL,
     "compare although this differs: device, driver, workload (parameters, frames, dt, seed,\n" CONTINUED
     "assets) or shader (overrides, workgroup size); repeatable"},
    {"allow-software", 0, "", CMD_FLAG, CMD_COMPARE, AT(allow_software), 0, 0, 0, NULL,
     "compare software devices too; they never fail"},
    {"fail-on-inconclusive", 0, "", CMD_FLAG, CMD_COMPARE, AT(fail_on_inconclusive), 0, 0, 0, NULL,
     "exit 3 when a case may be slower, but too few launches can tell"},
    {"fail-on-missing", 0, "", CMD_FLAG, CMD_COMPARE, AT(fail_on_missing), 0, 0, 0, NULL,
     "exit 1 when a case has times in one of the files only"},
    /* what to bake */
    {"out", 0, "DIR", CMD_TEXT, CMD_BAKE | CMD_GOLDEN, AT(out), 0, 0, 0, NULL,
     "bake: folder to write; an earlier bake is replaced (default: none, only the report);\n" CONTINUED
     "golden check: where pictures of failures go (default: golden-failures)"},
    {"clip", 0, "NAME", CMD_VALUES, CMD_BAKE, AT(clip), 0, 0, 0, NULL, "bake this clip; repeatable (default: all)"},
    {"loop", 0, "NAME|all|none", CMD_VALUES, CMD_BAKE, AT(loop), 0, 0, 0, NULL,
     "clips that loop; repeatable (default: those that end within 1 % of where they start)"},
    {"fps", 0, "R", CMD_F64, CMD_BAKE, AT(fps), 30, 0.001, 100000, NULL,
     "frames a second, rounded for each clip so that whole intervals fill it"},
    {"max-error", 0, "PERCENT", CMD_F64, CMD_BAKE, AT(max_error), 0, 1e-6, 100, NULL,
     "double the rate of each clip from --fps on until its temporal error is within so much of\n" CONTINUED
     "the extent"},
    {"max-frames", 0, "N", CMD_U32, CMD_BAKE, AT(max_frames), 0, 1, 65535, NULL, "most frames of all clips together"},
    {"format", 0, "FORMAT", CMD_CHOICE, CMD_BAKE, AT(format), 0, 0, 0, vat_format_names,
     "bytes a vertex and frame: u16oct8 8, rgba8 8, rgba16 16, f32 32; bones: 48 a bone and\n" CONTINUED "frame"},
    {"sampling", 0, "HOW", CMD_CHOICE, CMD_BAKE, AT(sampling), 0, 0, 0, vat_sampling_names,
     "closed: whole intervals and a closing frame; source, source-late:\n" CONTINUED
     "frame k at k / R, (k + 1) / R, and no closing frame"},
    {"fit", 0, "", CMD_FLAG, CMD_BAKE, AT(fit), 0, 0, 0, NULL, "rgba8 over the model's box instead of -1 .. 1 m"},
    {"scale", 0, "S", CMD_F64, CMD_BAKE, AT(scale), 1, 1e-9, 1e9, NULL, "multiply the model's size"},
    {"skin", 0, "FILE.png", CMD_VALUES, CMD_BAKE, AT(skin), 0, 0, 0, NULL,
     "texture, a layer of one array; repeatable, all of one size"},
    /* what to print */
    {"names", 0, "", CMD_FLAG, CMD_LIST, AT(names), 0, 0, 0, NULL, "print case names only, one per line"},
    {"output", 'o', "FILE", CMD_TEXT, CMD_SELECT | CMD_GOLDEN | CMD_COMPARE | CMD_REPORT, AT(output), 0, 0, 0, NULL,
     "write the result as JSON; report: the page"},
    {"csv", 0, "FILE", CMD_TEXT, CMD_VERIFY | CMD_TIME, AT(csv), 0, 0, 0, NULL,
     "write the result as CSV too, a row per case"},
    {"junit", 0, "FILE", CMD_TEXT, CMD_VERIFY | CMD_TIME, AT(junit), 0, 0, 0, NULL,
     "write the result as JUnit XML too"},
    {"json", 0, "", CMD_FLAG, CMD_ALL & ~(unsigned)CMD_REPORT, AT(json), 0, 0, 0, NULL,
     "print the result as JSON instead of text"},
    {"md", 0, "", CMD_FLAG, CMD_TIME | CMD_GOLDEN | CMD_COMPARE, AT(md), 0, 0, 0, NULL, "print the table as Markdown"},
    {"verbose", 'v', "", CMD_FLAG, DEVICES, AT(verbose), 0, 0, 0, NULL, "print more, such as every check row"},
    {"quiet", 'q', "", CMD_FLAG, CMD_ALL, AT(quiet), 0, 0, 0, NULL, "print failures only"},
    {"version", 0, "", CMD_FLAG, CMD_ALL, AT(version), 0, 0, 0, NULL, "print versions and exit"},
    {"help", 'h', "", CMD_FLAG, CMD_ALL, AT(help), 0, 0, 0, NULL, "print this and exit"},
};

#endif
