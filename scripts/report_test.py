#!/usr/bin/env python3
"""Opens reports in a browser without a window: are they whole, silent and harmless, and do they follow the system's
colours and a phone's width?

usage: scripts/report_test.py [--program build/vfxbench] [--keep DIR]

Reports are made from the committed baselines and from results made up here (failures, several launches, several
commits, pictures, hostile names). --keep leaves reports and screenshots in DIR, to be looked at. Exit code 77: there is
no Chromium, nothing was tested.
"""
import argparse
import copy
import glob
import html
import html.parser
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EVIL = '<script>document.title="owned"</script>"\'&<img src=x onerror=document.title="owned">'


class Browser:
    """Chromium without a window, one process a page."""

    def __init__(self, program, folder):
        self.program = program
        self.profile = os.path.join(folder, "profile")

    def run(self, page, *options):
        command = [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-dev-shm-usage", "--disable-background-networking", "--user-data-dir=" + self.profile,
                   "--enable-logging=stderr", *options, "file://" + os.path.abspath(page)]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        messages = [line for line in done.stderr.decode(errors="replace").splitlines() if ":CONSOLE" in line]
        return done.stdout.decode(errors="replace"), messages

    def dom(self, page, *options):
        return self.run(page, "--dump-dom", *options)

    def picture(self, page, path, width, height, dark=False):
        options = ["--screenshot=" + path, f"--window-size={width},{height}"]
        self.run(page, *options, "--blink-settings=preferredColorScheme=" + ("0" if dark else "1"))
        return first_pixel(path)


def first_pixel(path):
    """Size and first pixel of a PNG. No filter changes the first pixel of the first row."""
    with open(path, "rb") as file:
        data = file.read()
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return width, height, tuple(zlib.decompressobj().decompress(packed, 16)[1:4])


def write_png(path, colour):
    """A small picture of one colour."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + bytes(colour) * 64 for _ in range(36))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 36, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Page(html.parser.HTMLParser):
    """Counts what a page consists of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.classes, self.problems, self.figures = {}, {}, [], []
        self.marks = {"circle", "rect", "use", "line", "img", "i", "td"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        values = dict(attrs)
        for name in (values.get("class") or "").split():
            self.classes[name] = self.classes.get(name, 0) + 1
        if tag == "figure":
            self.figures.append([values.get("class"), 0])
        elif self.figures and tag in self.marks and values.get("class") not in ("grid", "axis", "zero", "rail"):
            self.figures[-1][1] += 1
        for name, value in attrs:
            if re.search(r"\b(nan|inf|infinity|undefined|null)\b", value or "", re.I) and tag in (
                    "svg", "rect", "line", "circle", "use", "text"):
                self.problems.append(f"<{tag} {name}={value}>")
            elsewhere = name in ("src", "href") and not (value or "").startswith(("data:image/png", "#"))
            if elsewhere or name.startswith("on"):
                self.problems.append(f"<{tag} {name}={value}>")


class Test:
    """Counts checks and prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAILED: " + what)


def load(name):
    with open(os.path.join(ROOT, "bench/baselines/nvidia-h200", name), encoding="utf-8") as file:
        return json.load(file)


def history_results():
    """Three commits of one result; the last with four launches of every case."""
    results = []
    for step, git in enumerate(("1111111aaaa", "2222222bbbb", "3333333cccc")):
        result = copy.deepcopy(load("time-tentacle-150k.json"))
        result["tool"]["git"] = git
        for index, case in enumerate(result["cases"]):
            factor = 1.0 + 0.04 * step * (index - 1)
            timing = case["timing"]
            for key in ("min", "p25", "median", "p75", "p95", "p99", "max"):
                timing["frame_ns"][key] *= factor
            timing["samples_ns"] = [ns * factor for ns in timing["samples_ns"]]
            if step == 2:
                timing["launches"] = [{"launch": n, "median_ns": timing["frame_ns"]["median"] * (1 + 0.001 * n),
                                       "samples_ns": timing["samples_ns"]} for n in range(-2, 2)]
        results.append(result)
    return results


def verify_result(folder):
    """Failures with hostile texts, sweeps, checks, a golden that failed and one that passed."""
    result = copy.deepcopy(load("time-grass-1m.json"))
    result["verb"] = "verify"
    row = {"buffer": "vertex", "field": "position", "limit": "abs 1e-05 " + EVIL, "reason": "because",
           "worst_gpu": 0.42, "worst_float_cpu": 0.2, "compared": "123456", "failed": "0", "records": "9"}
    for index, case in enumerate(result["cases"]):
        del case["timing"]
        case["checks"] = [dict(row, worst_gpu=0.1 * (index + 1)), dict(row, field="normal", worst_gpu=0.9)]
    first, second, third, fourth = result["cases"][:4]
    first.update(state="fail", reason="frame 3, blade 17: " + EVIL, repro="vfxbench verify " + EVIL)
    first["checks"][0].update(worst_gpu=None, failed="17")
    first["sweeps"] = [{"id": "grass/fused/1m " + EVIL, "state": "fail", "reason": EVIL, "frames": 2, "worst_gpu": 3}]
    second.update(state=EVIL, reason=None)
    third.update(id="grass/" + EVIL + "/1m")
    fourth.update(state="unsupported", reason="needs 2 GiB, device offers 128 MiB")
    for name, colour in (("a", (40, 90, 40)), ("b", (90, 40, 40)), ("c", (20, 10, 60))):
        write_png(os.path.join(folder, name + ".png"), colour)
    golden = {"name": "grass/fused/meadow-030", "view": "meadow", "frame": 30, "path": "a.png", "gate": "failed",
              "different_pixels": 321, "largest_difference": 200, "blob_pixels": 40,
              "flip": {"mean": 0.03, "weighted_q3": 0.2, "weighted_p99": 0.3},
              "limits": {"mean": 0.01, "weighted_q3": 0.15, "weighted_p99": 0.1, "blob_pixels": 16},
              "files": {"actual": "b.png", "heat": "c.png"}}
    for state, frame in (("fail", 30), ("pass", 60)):
        case = copy.deepcopy(third)
        case.update(id="grass/fused/meadow", state=state, reason="FLIP" if state == "fail" else None,
                    golden=dict(golden, frame=frame, gate="identical" if state == "pass" else "failed",
                                path="a.png" if state == "fail" else "c.png"))
        result["cases"].append(case)
    case = copy.deepcopy(case)
    case.update(state="fail", golden=dict(golden, view="lost", path="/dev/null", files={"actual": "missing.png"}))
    result["cases"].append(case)
    return result


def make_report(program, folder, name, files, *options):
    path = os.path.join(folder, name)
    subprocess.run([program, "report", *files, "-o", path, "-q", *options], check=True)
    return path


def write_result(folder, name, result):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    return path


def with_script(path, name, script):
    """A copy of a report with one more script at its end."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    copied = os.path.join(os.path.dirname(path), name)
    with open(copied, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", "<script>" + script + "</script></body>"))
    return copied


def check_page(test, browser, path, what, figures):
    """The page is silent, and every figure has marks."""
    text, messages = browser.dom(path)
    page = Page(text)
    test.check(not messages, f"{what}: the console says {messages[:2]}")
    test.check(not page.problems, f"{what}: {page.problems[:3]}")
    test.check(page.tags.get("script") == 1, f"{what}: {page.tags.get('script')} scripts")
    test.check("<title>vfxbench report</title>" in text, f"{what}: the title was changed")
    test.check("http-equiv" in text and "default-src 'none'" in text, f"{what}: no content security policy")
    for kind in figures:
        found = [marks for name, marks in page.figures if name == kind]
        test.check(found and min(found) > 0, f"{what}: marks of the figures {kind}: {found}")
    ids = re.findall(r'\bid="([^"]*)"', text)
    test.check(len(ids) == len(set(ids)), f"{what}: an id is not unique")
    return text, page


def check_sorting(test, browser, path):
    script = ("const h=document.querySelectorAll('#files th')[5],t=h.closest('table');"
              "const names=()=>[...t.tBodies[0].rows].map(r=>+r.cells[5].textContent);"
              "const b=h.querySelector('button');b.click();const up=names();b.click();const down=names();"
              "document.title=JSON.stringify([up,down])")
    text, _ = browser.dom(with_script(path, "sort.html", script))
    title = re.search(r"<title>(\[.*?)</title>", text)
    up, down = json.loads(html.unescape(title.group(1))) if title else ([], [])
    good = len(set(up)) > 2 and up == sorted(up) and down == up[::-1]
    test.check(good, f"sorting a table gives {up} and {down}")


def phone(path):
    """A page that shows the report as wide as a phone, and waits for what it tells."""
    frame = os.path.join(os.path.dirname(path), "phone_" + os.path.basename(path))
    with open(frame, "w", encoding="utf-8") as file:
        file.write('<!doctype html><meta name="color-scheme" content="light dark"><body style="margin:0">'
                   f'<iframe src="{os.path.basename(path)}" style="border:0;width:390px;height:2400px"></iframe>'
                   "<script>onmessage=e=>document.title=e.data</script>")
    return frame


def check_phone(test, browser, path, what):
    script = "parent.postMessage(document.documentElement.scrollWidth+' of '+innerWidth,'*')"
    text, _ = browser.dom(phone(with_script(path, "wide.html", script)), "--virtual-time-budget=3000")
    title = re.search(r"<title>(.*?)</title>", text)
    test.check(title and title.group(1) == "390 of 390", f"{what}: width on a phone: {title and title.group(1)}")


def run(test, program, browser, folder):
    baselines = sorted(glob.glob(os.path.join(ROOT, "bench/baselines/nvidia-h200/*.json")))
    files = [write_result(folder, f"time{i}.json", result) for i, result in enumerate(history_results())]
    files.append(write_result(folder, "verify.json", verify_result(folder)))
    empty = dict(load("time-grass-1m.json"), cases=[], ceilings=None, device=None)
    goldens = os.path.join(folder, "goldens/grass")
    os.makedirs(goldens, exist_ok=True)
    write_png(os.path.join(goldens, "meadow-001.png"), (60, 120, 60))
    write_result(goldens, "meadow-001.json", {"case": "grass/fused/ci", "reason": "first blessing"})
    write_result(goldens, "broken.png", "no picture")
    plain = make_report(program, folder, "baselines.html", baselines, "--goldens", os.path.dirname(goldens))
    full = make_report(program, folder, "full.html", files)
    nothing = make_report(program, folder, "empty.html", [write_result(folder, "empty.json", empty)])

    text, page = check_page(test, browser, plain, "baselines",
                            ("shots", "times", "passes", "plot scaling", "plot roofline"))
    test.check(page.classes.get("sample", 0) > 1000, "baselines: samples are missing")
    test.check(page.classes.get("mark", 0) > 60, "baselines: marks are missing")
    test.check(page.classes.get("fit", 0) > 60 and page.classes.get("roof", 0) > 3, "baselines: lines are missing")
    test.check(page.tags.get("img") == 1 and page.classes.get("absent") == 1, "baselines: pictures of --goldens")
    test.check("grass/fused/ci: first blessing" in text, "baselines: the sidecar of a golden is not told")
    text, page = check_page(test, browser, full, "full", ("shots", "times", "plot history", "checks"))
    test.check(page.classes.get("failure") == 4, f"full: {page.classes.get('failure')} failures")
    test.check(0 < text.find('id="failures"') < text.find('id="f0"'), "full: failures are not first")
    test.check(page.tags.get("img") == 4, f"full: {page.tags.get('img')} pictures")
    test.check(page.classes.get("absent") == 3, f"full: {page.classes.get('absent')} pictures left out")
    test.check(page.classes.get("launch") == 16, f"full: {page.classes.get('launch')} launch medians")
    test.check("owned" in text and EVIL not in text, "full: hostile text is not escaped")
    text, page = check_page(test, browser, nothing, "empty", ())
    test.check("no cases" in text and "no data" in text, "empty: nothing says that there is nothing")
    check_sorting(test, browser, plain)

    for path, name in ((plain, "baselines"), (full, "full")):
        light = browser.picture(path, os.path.join(folder, name + "_light.png"), 1200, 2600)
        dark = browser.picture(path, os.path.join(folder, name + "_dark.png"), 1200, 2600, dark=True)
        small = browser.picture(phone(path), os.path.join(folder, name + "_phone.png"), 500, 2400)
        test.check(light[:2] == (1200, 2600) and min(light[2]) > 200, f"{name}: light page begins with {light}")
        test.check(max(dark[2]) < 60, f"{name}: dark page begins with {dark}")
        test.check(min(small[2]) > 200, f"{name}: page on a phone begins with {small}")
        check_phone(test, browser, path, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/vfxbench"))
    parser.add_argument("--keep", metavar="DIR")
    arguments = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("skipped: no chromium; it is in ci/packages.txt")
        return 77
    folder = arguments.keep or tempfile.mkdtemp(prefix="report-test-")
    os.makedirs(folder, exist_ok=True)
    test = Test()
    try:
        run(test, os.path.abspath(arguments.program), Browser(chromium, folder), folder)
    finally:
        shutil.rmtree(os.path.join(folder, "profile") if arguments.keep else folder, ignore_errors=True)
    print(f"report: {test.passed} checks passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
