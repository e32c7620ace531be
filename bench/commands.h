/* bench/commands.h - one function per verb: takes the parsed options, prints, returns the exit code. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "bench/options.h"

int cmd_list(const cmd_options *options);
int cmd_info(const cmd_options *options);
int cmd_run(const cmd_options *options);
int cmd_verify(const cmd_options *options);
int cmd_time(const cmd_options *options);
int cmd_compare(const cmd_options *options);
int cmd_bake(const cmd_options *options);
int cmd_golden(const cmd_options *options);
int cmd_report(const cmd_options *options);

#endif
