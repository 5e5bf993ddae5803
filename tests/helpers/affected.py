#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the tests that a change affects, nearest first, and remembers which ones passed with which sources.

affected.py choose FOLDER SECONDS [LABEL]   prints a regular expression for `ctest -R` without the tests that have LABEL, and to
                                            stderr what it left out
affected.py record FOLDER JUNIT             remembers the results of a run

FOLDER is a build folder; its file "tests-began" is as old as the build that was tested. A test depends on the files that its
includes lead to, from a header also to what implements it, and on whole programs where it starts them
(docs/adr/0028-tests-that-a-change-affects.md).
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRODUCT = ("app", "engine", "model", "widgets")
READS_SOURCES = re.compile(rb"TRAINYARD_SOURCE")
# Those that look at all sources, whatever they include.
WALKS = re.compile(rb"QDirIterator|entryList|entryInfoList")
STARTS_PROGRAMS = re.compile(rb"TRAINYARD_BIN")
STARTS_THE_WINDOW = re.compile(rb'/trainyard"|"trainyard"|drivengui')
READS_RESOURCES = re.compile(rb'":/')
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)
# Steps to a program weigh more than includes: what a test names itself is nearer than what a program of it does.
TO_A_PROGRAM = 20


def listed():
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if names.returncode == 0:
        return names.stdout.splitlines()
    # An unpacked archive.
    found = []
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if not name.startswith(".") and name not in ("build", "dist")]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files]
    return found


class Sources:
    """The project's files, the includes of each, and what implements a header."""

    def __init__(self):
        self.files = [name for name in listed() if os.path.isfile(os.path.join(ROOT, name))]
        self.text = {}
        self.includes = {}
        self.digests = {}
        implementers = {}
        known = set(self.files)
        for name in self.files:
            if not name.endswith((".cpp", ".h")):
                continue
            with open(os.path.join(ROOT, name), "rb") as file:
                self.text[name] = file.read()
            found = []
            for include in INCLUDE.findall(self.text[name]):
                include = include.decode()
                beside = os.path.normpath(os.path.join(os.path.dirname(name), include))
                found.append(include if include in known else beside if beside in known else None)
            self.includes[name] = [include for include in found if include]
        for name, includes in self.includes.items():
            if not name.endswith(".cpp"):
                continue
            # A source file implements the headers of its own folder that it includes; more than it does is no harm.
            for include in includes:
                if os.path.dirname(include) == os.path.dirname(name):
                    implementers.setdefault(include, []).append(name)
        self.implementers = implementers

    def digest(self, name):
        if name not in self.digests:
            data = self.text.get(name)
            if data is None:
                with open(os.path.join(ROOT, name), "rb") as file:
                    data = file.read()
            self.digests[name] = hashlib.sha256(data).digest()
        return self.digests[name]

    def below(self, *folders):
        return [name for name in self.files if name.startswith(tuple(folder + "/" for folder in folders))]

    def reached(self, first):
        """What FIRST leads to, with the number of steps."""
        steps = {}
        level = 0
        front = [name for name in first if name in self.includes]
        while front:
            ahead = []
            for name in front:
                if name in steps:
                    continue
                steps[name] = level
                ahead += self.includes[name]
                # A test's own folder has no implementers but helpers; a test class never implements another.
                ahead += [other for other in self.implementers.get(name, []) if not os.path.basename(other).startswith("tst_")]
            front = ahead
            level += 1
        return steps


def tests_of(folder):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=folder, capture_output=True, check=True)
    tests = {}
    for test in json.loads(shown.stdout)["tests"]:
        labels = next((p["value"] for p in test.get("properties", []) if p["name"] == "LABELS"), [])
        tests[test["name"]] = labels
    return tests


class Dependencies:
    def __init__(self, sources):
        self.sources = sources
        self.classes = {os.path.basename(name)[:-4]: name for name in sources.files
                        if name.startswith("tests/") and os.path.basename(name).startswith("tst_") and name.endswith(".cpp")}
        everywhere = ("CMakeLists.txt", ".cmake", "CMakePresets.json", "tests/helpers/affected.py")
        self.always = [name for name in sources.files if name.endswith(everywhere)]
        self.resources = sources.below("resources")
        self.plain = [name for name in sources.files if not name.endswith((".cpp", ".h"))]
        commands = [name for name in sources.below("app") if not name.startswith("app/gui/")]
        self.programs = sources.reached(commands + sources.below("engine/agent"))
        self.window = sources.reached(sources.below("app/gui"))

    def of(self, test):
        """The files that TEST depends on, with their distance; None: all of them."""
        name = test.split(".", 1)[1]
        file = self.classes.get(name)
        if file is None:
            return None
        steps = self.sources.reached([file])
        texts = [self.sources.text[each] for each in steps if each.startswith("tests/")]
        further = {}
        if any(READS_SOURCES.search(text) for text in texts):
            if any(WALKS.search(text) for text in texts):
                return None
            further.update(dict.fromkeys(self.plain, 1)) # samples, documents and scripts
        if any(STARTS_PROGRAMS.search(text) for text in texts):
            further.update(self.programs)
            further.update(dict.fromkeys(self.resources, 1))
        if any(STARTS_THE_WINDOW.search(text) for text in texts):
            further.update(self.window)
        for each, distance in further.items():
            steps.setdefault(each, distance + TO_A_PROGRAM)
        if any(READS_RESOURCES.search(self.sources.text.get(each, b"")) for each in list(steps)):
            for each in self.resources:
                steps.setdefault(each, TO_A_PROGRAM)
        return steps


def fingerprint(sources, names):
    whole = hashlib.sha256()
    for name in sorted(names):
        whole.update(name.encode() + b"\0" + sources.digest(name))
    return whole.hexdigest()


def record_file(folder):
    return os.path.join(folder, "tests-that-passed.json")


def read_record(folder):
    try:
        with open(record_file(folder)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def write_record(folder, record):
    with open(record_file(folder) + ".new", "w") as file:
        json.dump(record, file, indent=1, sort_keys=True)
    os.replace(record_file(folder) + ".new", record_file(folder))


def files_of(dependencies, sources, test):
    steps = dependencies.of(test)
    return dict.fromkeys(sources.files, TO_A_PROGRAM // 2) if steps is None else {**dict.fromkeys(dependencies.always, 0), **steps}


def choose(folder, seconds, excluded):
    sources = Sources()
    dependencies = Dependencies(sources)
    record = read_record(folder)
    candidates = []
    same = 0
    for test, labels in tests_of(folder).items():
        if excluded in labels:
            continue
        files = files_of(dependencies, sources, test)
        before = record.get(test, {})
        if before.get("passed") == fingerprint(sources, files):
            same += 1
            continue
        old = before.get("files", {})
        changed = [distance for name, distance in files.items() if old.get(name) != sources.digest(name).hex()[:12]]
        candidates.append((0 if before.get("failed") else 1, min(changed, default=0), before.get("seconds", 1.0), test))
    candidates.sort()
    chosen = []
    spent = 0.0
    for _, _, took, test in candidates:
        if chosen and seconds > 0 and spent + took > seconds:
            continue
        chosen.append(test)
        spent += took
    left = len(candidates) - len(chosen)
    print(f"{same} test classes passed before with the same sources; {len(candidates)} depend on what has changed"
          + (f", of which the nearest {len(chosen)} run now. Run './dev test' again to go on with the other {left}, or './dev test --every'."
             if left else "."), file=sys.stderr)
    if chosen:
        print("^(" + "|".join(re.escape(test) for test in chosen) + ")$")


def remember(folder, junit):
    sources = Sources()
    dependencies = Dependencies(sources)
    record = read_record(folder)
    began = os.stat(os.path.join(folder, "tests-began")).st_mtime
    later = {name for name in sources.files if os.stat(os.path.join(ROOT, name)).st_mtime > began}
    for case in xml.parse(junit).getroot().iter("testcase"):
        test = case.get("name")
        status = case.get("status")
        if status not in ("run", "fail"):
            continue
        entry = record.setdefault(test, {})
        entry["seconds"] = float(case.get("time") or 1)
        if status == "run":
            files = files_of(dependencies, sources, test)
            if not later.isdisjoint(files):
                continue # somebody went on writing: what was tested is no longer there
            entry["passed"] = fingerprint(sources, files)
            entry["files"] = {name: sources.digest(name).hex()[:12] for name in files}
            entry.pop("failed", None)
        else:
            entry["failed"] = True
            entry.pop("passed", None)
    write_record(folder, record)


if __name__ == "__main__":
    if sys.argv[1] == "choose":
        choose(sys.argv[2], float(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
    else:
        remember(sys.argv[2], sys.argv[3])
