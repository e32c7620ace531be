#!/usr/bin/env python3
"""scripts/mutants.py - would `vfxbench verify` notice a wrong shader? Breaks a family's shaders on purpose, one place
at a time, and counts how many of the broken ones verify catches.

A mutant changes one numeric constant (0.5 -> 0.75, 3 -> 4) or turns one index offset (i + 1 -> i - 1) in a .comp or
.glsl file of kernels/FAMILY/. It is compiled in a temporary folder and given to
    vfxbench verify 'FAMILY/VARIANT/ci' --shader FAMILY.PASS=mutant.spv
Exit code 1 kills it; a quick run with --mode free-run goes first and finds the coarse ones. Mutants that do not compile
or whose SPIR-V equals the original's are listed, not counted.

kernels/FAMILY/mutants.txt, optional, '#' comments, fields separated by ' | ':
    quick | options for a run that goes first, in place of that with --mode free-run; several go in the order given
    run | options for one more verify run of a mutant that survived, e.g. --set cap=on --set seam=on
    FILE | text of the line | OLD -> NEW | reason why this survivor is harmless

Exits 1 when fewer than 95 % of the counted mutants are killed, or when a survivor has no reason.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = ""  # copy of the tree's shader sources, so that editing may go on during a run
LEAST_SHARE = 0.95
# Tried for a mutant of a .glsl that several include: the quickest ones, each in one variant. A survivor goes through
# the first quick run in all the others, and in the other variants.
MOST_SHADERS = 2
QUICK = ["--mode", "free-run", "--frames", "4"]  # of a family that has none of its own

NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)([uUfF]?)(?![\w.])")
OFFSET = re.compile(r"(?<=[\w\])] )([+-])(?= [\w(])")
SKIPPED_LINE = re.compile(r"^\s*(#\s*(?!define)|layout\b|precision\b)")
UNDECIDED = ("does not compile", "equal SPIR-V", "unsupported")

Place = collections.namedtuple("Place", "file line text start end old new label")
Use = collections.namedtuple("Use", "shader pass_name case")  # shader: file name of a .comp


# ------------------------------------------------------------------------------------------------ making mutants

def without_comments(text):
    """Comments become blanks, so that positions stay."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def changed_number(digits, suffix):
    if digits[:2] in ("0x", "0X"):
        return f"0x{int(digits, 16) ^ 1:x}{suffix}"
    if not re.search(r"[.eE]", digits):
        return f"{int(digits) + 1}{suffix}"
    value = float(digits)
    if value == 0:
        value = 0.25
    elif abs(value) < 1e-3:
        value *= 1000  # a guard against a small number: half as much again would mean nothing
    else:
        value *= 1.5
    return f"{value:.9g}" + ("" if re.search(r"[.e]", f"{value:.9g}") else ".0") + suffix


def is_index_offset(line, match):
    """A + or - inside [ ], or next to an integer constant."""
    depth = line[: match.start()].count("[") - line[: match.start()].count("]")
    after = re.match(r" \d+u?\b(?!\.)", line[match.end():])
    before = re.search(r"(?<![\w.])\d+u? $", line[: match.start()])
    return depth > 0 or after or before


def places_in(path):
    """Every place of a file that can be mutated."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    bare = without_comments(source).split("\n")
    places = []
    for number, (line, code) in enumerate(zip(source.split("\n"), bare), start=1):
        if SKIPPED_LINE.match(code):
            continue
        found = [(m, m.group(), changed_number(m.group(1), m.group(2))) for m in NUMBER.finditer(code)]
        found += [(m, m.group(), "-" if m.group() == "+" else "+") for m in OFFSET.finditer(code)
                  if is_index_offset(code, m)]
        seen = collections.Counter()
        for match, old, new in found:
            seen[old] += 1
            label = f"{old} -> {new}" + (f" @{seen[old]}" if seen[old] > 1 else "")
            places.append(Place(os.path.relpath(path, ROOT), number, line.strip(), match.start(), match.end(), old,
                                new, label))
    return places


def compile_shader(shader, out, include_first=None):
    """SPIR-V of a .comp, None if it does not compile."""
    source = shader
    if include_first and os.path.exists(os.path.join(include_first, shader)):
        source = os.path.join(include_first, shader)
    includes = (["-I" + include_first] if include_first else []) + ["-I."]
    command = ["glslc", "--target-env=vulkan1.2", "-O", *includes, "-c", source, "-o", out]
    if subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode != 0:
        return None
    # A constant that is not used leaves gaps in the numbering of ids; without them equal code is equal.
    subprocess.run(["spirv-opt", "--compact-ids", out, "-o", out], check=True)
    with open(out, "rb") as file:
        return file.read()


def copy_sources(family, folder):
    """Makes `folder` the root that everything is read from."""
    global ROOT
    ROOT = folder
    shutil.copytree(os.path.join(TREE, "kernels", family), os.path.join(ROOT, "kernels", family))
    os.makedirs(os.path.join(ROOT, "core"))
    for file in os.listdir(os.path.join(TREE, "core")):
        if file.endswith((".h", ".glsl")):
            shutil.copy(os.path.join(TREE, "core", file), os.path.join(ROOT, "core", file))


def write_mutant(place, folder):
    with open(os.path.join(ROOT, place.file), encoding="utf-8") as file:
        lines = file.read().split("\n")
    line = lines[place.line - 1]
    lines[place.line - 1] = line[: place.start] + place.new + line[place.end:]
    path = os.path.join(folder, place.file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


# ------------------------------------------------------------------------------------- who includes and uses what

def included_by(shader):
    """The shader and every file of the tree that it includes, directly or not."""
    seen, todo = set(), [shader]
    while todo:
        path = todo.pop()
        if path in seen or not os.path.exists(os.path.join(ROOT, path)):
            continue
        seen.add(path)
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            todo += re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), flags=re.M)
    return seen


def uses_of_shaders(vfxbench, family):
    """{shader path: [Use]} from `vfxbench list --json`."""
    listing = json.loads(subprocess.run([vfxbench, "list", "--json"], check=True, capture_output=True).stdout)
    records = listing.get("families", listing) if isinstance(listing, dict) else listing
    record = next((r for r in records if r["name"] == family), None)
    if record is None:
        sys.exit(f"mutants.py: vfxbench knows no family '{family}'")
    uses = collections.defaultdict(list)
    for variant in record["variants"]:
        for pass_name, spirv in zip(variant["passes"], variant["shaders"]):
            shader = f"kernels/{family}/{spirv}.comp"
            uses[shader].append(Use(shader, pass_name, f"{family}/{variant['name']}/ci"))
    return uses


# ---------------------------------------------------------------------------------------------------- the verdict

class Judge:
    """Compiles a mutant, runs verify on it and says what became of it."""

    def __init__(self, options, quick_runs, extra_runs, folder):
        self.options, self.family, self.folder = options, options.family, folder
        self.quick_runs, self.extra_runs = quick_runs, extra_runs
        self.uses = uses_of_shaders(options.vfxbench, options.family)
        self.includes = {shader: included_by(shader) for shader in self.uses}
        self.originals, self.seconds = {}, {}
        self.environment = dict(os.environ, VFXBENCH_ALLOW_CPU="1", LP_NUM_THREADS="1")

    def verify(self, case, shaders, extra):
        """Verdict, output and seconds of one verify run; shaders: SPIR-V by pass."""
        command = [self.options.vfxbench, "verify", case, *shlex.split(self.options.options), *extra]
        for pass_name, spirv in shaders.items():
            command += ["--shader", f"{self.family}.{pass_name}={spirv}"]
        if "--frames" not in extra:
            command += ["--frames", str(self.options.frames)]
        if self.options.device:
            command += ["--device", self.options.device]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, check=False,
                                  timeout=self.options.timeout, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "time-out", "", self.options.timeout
        names = {0: "survived", 1: "killed", 4: "crashed", 77: "unsupported"}
        text = (done.stderr + done.stdout).decode(errors="replace")
        verdict = "crashed" if done.returncode < 0 else names.get(done.returncode, f"exit {done.returncode}")
        return verdict, text, time.monotonic() - begin

    def compile_originals(self, files):
        """Of the shaders that include one of `files`; returns {case: {pass: SPIR-V}}."""
        cases = collections.defaultdict(dict)
        for shader in sorted(self.uses):
            if not files & self.includes[shader]:
                continue
            out = os.path.join(self.folder, os.path.basename(shader) + ".spv")
            self.originals[shader] = compile_shader(shader, out)
            if self.originals[shader] is None:
                sys.exit(f"mutants.py: {shader} does not compile")
            for use in self.uses[shader]:
                cases[use.case][use.pass_name] = out
        return cases

    def check_originals(self, case, shaders):
        """The unchanged shaders of a variant must pass, or the verdicts mean nothing."""
        for extra in ([], *self.quick_runs, *self.extra_runs):
            verdict, text, seconds = self.verify(case, shaders, extra)
            if not extra:
                self.seconds[case] = seconds
            if verdict not in ("survived", "unsupported"):
                sys.exit(f"mutants.py: unchanged shaders give '{verdict}' in {case} {' '.join(extra)}:\n{text}")

    def compile_mutant(self, shader, folder):
        """Its path, "" if there is none to run; and what is to say then."""
        out = os.path.join(folder, os.path.basename(shader) + ".spv")
        spirv = compile_shader(shader, out, folder)
        if spirv is not None and spirv != self.originals[shader]:
            return out, ""
        return "", "equal SPIR-V" if spirv is not None else ""

    def tries(self, pairs, including, folder):
        """The runs of a mutant until one kills it: kind of run, use, SPIR-V, options."""
        yield from (("quick", *pair, run) for run in self.quick_runs for pair in pairs)
        yield from (("usual", *pair, []) for pair in pairs)
        yield from (("extra", *pair, run) for run in self.extra_runs for pair in pairs[:1])
        for shader in including if pairs else []:
            out, _ = self.compile_mutant(shader, folder)
            yield from (("quick", use, out, self.quick_runs[0]) for use in self.uses[shader] if out
                        and (use, out) not in pairs)

    def judge(self, number, place):
        """What became of the mutant: a verdict, and the kind of run that found it: quick, usual or extra."""
        folder = os.path.join(self.folder, str(number))
        write_mutant(place, folder)
        verdict, pairs = "does not compile", []
        including = [shader for shader in self.uses if place.file in self.includes[shader]]
        including.sort(key=lambda shader: self.seconds[self.uses[shader][0].case])
        for shader in including:
            if len(pairs) == MOST_SHADERS:
                break
            out, state = self.compile_mutant(shader, folder)
            if out:
                pairs.append((self.uses[shader][0], out))
            verdict = state or verdict
        for kind, use, out, run in self.tries(pairs, including, folder):
            result, _, _ = self.verify(use.case, {use.pass_name: out}, run)
            if result == "killed":
                return result, kind
            if verdict in UNDECIDED or result not in ("survived", "unsupported"):
                verdict = result
        return verdict, ""


def read_notes(family):
    """Quick runs, extra runs, and {(file, text, label): reason}."""
    runs, reasons = {"quick": [], "run": []}, {}
    path = os.path.join(ROOT, "kernels", family, "mutants.txt")
    if not os.path.exists(path):
        return [QUICK], [], reasons
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            fields = [field.strip() for field in line.split(" | ")]
            if not line.strip() or line.startswith("#"):
                continue
            if fields[0] in runs and len(fields) == 2:
                runs[fields[0]].append(shlex.split(fields[1]))
            elif len(fields) >= 4:
                reasons[(fields[0], " | ".join(fields[1:-2]), fields[-2])] = fields[-1]
            else:
                sys.exit(f"{path}:{number}: wanted 'FILE | text | OLD -> NEW | reason', 'quick | options' or "
                         "'run | options'")
    return runs["quick"] or [QUICK], runs["run"], reasons


def report(results, reasons):
    by_verdict = collections.defaultdict(list)
    for place, verdict, _ in results:
        by_verdict[verdict].append(place)
    unexplained, kinds = 0, collections.Counter(kind for _, _, kind in results)
    for verdict in sorted(by_verdict):
        if verdict == "killed":
            continue
        print(f"{verdict}:")
        for place in by_verdict[verdict]:
            reason = reasons.get((os.path.basename(place.file), place.text, place.label), "")
            unexplained += verdict == "survived" and not reason
            print(f"  {place.file}:{place.line}: {place.label}: {place.text}" + (f"  [{reason}]" if reason else ""))
    killed, survived = len(by_verdict["killed"]), len(by_verdict["survived"])
    counted = killed + survived
    print("mutants: " + ", ".join(f"{len(v)} {k}" for k, v in sorted(by_verdict.items()) if v))
    if counted == 0:
        sys.exit("mutants.py: no mutant was counted")
    explained = survived - unexplained
    print(f"killed {killed} of {counted}: {killed / counted:.1%}, {kinds['quick']} of them by a quick run, "
          f"{kinds['usual']} by verify as it is, {kinds['extra']} by the family's extra runs only; "
          f"without the {explained} declared harmless {killed / max(1, counted - explained):.1%}")
    return killed / counted >= LEAST_SHARE and unexplained == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family")
    parser.add_argument("--vfxbench", default=os.path.join(TREE, "build", "vfxbench"))
    parser.add_argument("--device", default="llvmpipe", help="'' leaves the choice to vfxbench")
    parser.add_argument("--frames", type=int, default=40)
    parser.add_argument("--options", default="", help="more options for every verify, such as \"--seed 2\"")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=300, help="s per verify run")
    parser.add_argument("--limit", type=int, help="at most so many mutants, spread evenly")
    parser.add_argument("--only", default="", help="only files whose name matches this, a regular expression")
    parser.add_argument("--dry-run", action="store_true", help="list the mutants")
    options = parser.parse_args()
    options.vfxbench = os.path.abspath(options.vfxbench)

    if not os.path.isdir(os.path.join(TREE, "kernels", options.family)):
        sys.exit(f"mutants.py: no folder kernels/{options.family}")
    scratch = tempfile.TemporaryDirectory(prefix="mutants-")
    copy_sources(options.family, os.path.join(scratch.name, "tree"))
    folder = os.path.join(ROOT, "kernels", options.family)
    files = sorted(f for f in os.listdir(folder) if f.endswith((".comp", ".glsl")) and re.search(options.only, f))
    places = [place for file in files for place in places_in(os.path.join(folder, file))]
    if options.limit and len(places) > options.limit:
        places = [places[i * len(places) // options.limit] for i in range(options.limit)]
    if options.dry_run:
        for place in places:
            print(f"{place.file}:{place.line}: {place.label}: {place.text}")
        print(f"{len(places)} places in {len(files)} files")
        return 0

    quick_runs, extra_runs, reasons = read_notes(options.family)
    judge = Judge(options, quick_runs, extra_runs, scratch.name)
    results = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        cases = judge.compile_originals({place.file for place in places})
        list(pool.map(judge.check_originals, cases, cases.values()))
        jobs = [pool.submit(judge.judge, number, place) for number, place in enumerate(places)]
        for number, (place, job) in enumerate(zip(places, jobs), start=1):
            results.append((place, *job.result()))
            print(f"{number}/{len(places)} {place.file}:{place.line}: {place.label}: {results[-1][1]}", file=sys.stderr)
    return 0 if report(results, reasons) else 1


sys.exit(main())
