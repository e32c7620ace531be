#!/usr/bin/env python3
"""scripts/count_tests.py - the closing line of scripts/test.sh: 'N passed, N failed, N skipped'.

Usage: count_tests.py JUNIT_FILE CTEST_EXIT_CODE

CTest counts test programs; each is a cmocka group of several cases. The cases are read from the programs' own
summaries in the output that CTest recorded. A program that failed without a failing case (a crash, a leak, a time-out)
or was not built counts as one failed case, a skipped program without cases as one skipped case. Exits 1 if anything
failed.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

SUMMARY = {
    "passed": re.compile(r"^\[  PASSED  \] (\d+) test\(s\)", re.M),
    "failed": re.compile(r"^\[  FAILED  \] (?:.*: )?(\d+) test\(s\)", re.M),
    "skipped": re.compile(r"^\[  SKIPPED \] (?:.*: )?(\d+) test\(s\)", re.M),
}


def count_program(case):
    """Counts of one test program, from its recorded output and CTest's verdict on it."""
    text = case.findtext("system-out") or ""
    counts = {key: sum(int(n) for n in pattern.findall(text)) for key, pattern in SUMMARY.items()}
    skipped = case.find("skipped")
    not_found = skipped is not None and "nable to find" in skipped.get("message", "")
    if case.find("failure") is not None or case.get("status") == "fail" or not_found:
        counts["failed"] = max(1, counts["failed"])
    elif skipped is not None or case.get("status") in ("notrun", "disabled"):
        counts["skipped"] = max(1, counts["skipped"])
    elif not any(counts.values()):
        counts["passed"] = 1
    return counts


def main():
    code = int(sys.argv[2])
    total = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        for case in ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
            for key, value in count_program(case).items():
                total[key] += value
    except (OSError, ElementTree.ParseError) as error:
        print(f"count_tests.py: no usable results from ctest: {error}", file=sys.stderr)
        code = code or 1
    if code != 0 and total["failed"] == 0:
        total["failed"] = 1
    line = f"{total['passed']} passed, {total['failed']} failed"
    if total["skipped"]:
        line += f", {total['skipped']} skipped"
    print(line)
    return 1 if total["failed"] else 0


sys.exit(main())
