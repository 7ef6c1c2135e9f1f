#!/usr/bin/env python3
"""Rankine beside its peers, on the same files: peers.py [--data NAME,...] [--peers NAME,...] [--limit SECONDS]

Each tool trains in a process of its own. Times: reading, training (with what it needs to prepare), and
end to end from the start of the process to the end of training, also in processor time, which a busy
machine changes less. The objective that each linear model
reaches is computed by one program from its scores (judge.py), with one C for all:
1/2 |w|^2 + C * (sum over pairs of the squared hinge), features as they are, nothing normalised; for dlib,
and for Rankine beside it, the same with the hinge. "to 0.1 %" is the shortest training, over a ladder of
tolerances, whose objective is within 0.1 % of the lowest that any tool found.

Data: fold 1 of MQ2007, where RANKINE_LETOR_DIR or build/letor has it, and two files of `rankine synth`.
This program itself stays small, because a child's peak memory counts from its parent's size.
"""
import argparse
import dataclasses
import itertools
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "benchmarks" / "peer_programs"
FOLDER = ROOT / "build" / "peers"
PYTHON = ROOT / "build" / "peers_venv" / "bin" / "python"
RANKINE = ROOT / "build" / "release" / "cli" / "rankine"
DLIB = FOLDER / "dlib_peer"
C = 2**-8
CLOSE = 1.001  # within 0.1 % of the best
QUICK = 5  # seconds; quicker runs are repeated
RATIOS = ["end_to_end", "train", "processor", "memory"]  # what is compared with ours


@dataclasses.dataclass
class Data:
    name: str
    train: pathlib.Path
    test: pathlib.Path


@dataclasses.dataclass
class Tool:
    name: str
    program: str  # rankine, dlib or a peer of python_peer.py
    loss: str  # the objective it minimises: squared_hinge, hinge, or another
    tolerances: list  # the first is its default, and gives its row
    arguments: list = dataclasses.field(default_factory=list)
    most_pairs: float = float("inf")  # more would not fit in memory


TOOLS = [
    Tool("rankine", "rankine", "squared_hinge", [1e-6, 1e-1, 1e-2, 1e-3]),
    Tool("rankine, 1 thread", "rankine", "squared_hinge", [1e-6, 1e-1, 1e-2, 1e-3], ["--threads", "1"]),
    Tool("LinearSVC on listed differences", "LinearSVC", "squared_hinge", [1e-4, 1e-1, 1e-2, 1e-3],
         most_pairs=5e6),
    Tool("rankine, hinge", "rankine", "hinge", [1e-3, 1e-2], ["--loss", "hinge"]),
    Tool("dlib svm_rank_trainer", "dlib", "hinge", [1e-3, 1e-1, 1e-2]),
    Tool("XGBoost gblinear rank:pairwise", "gblinear", "logistic", [0]),
    Tool("LightGBM lambdarank, 100 trees", "lambdarank", "lambdarank", [0]),
]


class Failure(Exception):
    """Why a tool has no row."""


@dataclasses.dataclass
class Run:
    read: float
    train: float
    end_to_end: float
    processor: float  # seconds of processor time, end to end
    memory: int
    objectives: dict  # by loss; empty for trees
    ndcg: float


def rankine(*arguments):
    done = subprocess.run([RANKINE, *map(str, arguments), "--quiet"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def timed(command, limit):
    """Runs a command; returns when it started, what it printed, when it ended, and its processor time."""
    start, processor = time.time(), processor_time()
    # Threads that wait by spinning would take a shared machine's cores from those that work.
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment)
    try:
        printed, talk = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Failure(f"not done in {limit:g} s") from None
    if process.returncode != 0:
        raise Failure(f"ended with status {process.returncode}: {(talk.splitlines() or [''])[-1]}")
    return start, printed, time.time(), processor_time() - processor


def processor_time():
    """Of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_rankine(tool, data, tolerance, limit):
    model = FOLDER / "model.rkn"
    start, printed, end, processor = timed(
        [RANKINE, "train", data.train, "--model", model, "--C", C, "--scaling", "none", "--normalisation",
         "none", "--tolerance", tolerance, *tool.arguments, "--json", "--quiet"], limit)
    report = json.loads(printed)
    seconds = report["seconds"]
    for name in ["train", "test"]:
        rankine("score", getattr(data, name), "--model", model, "--output", FOLDER / f"{name}.scores")
    return {"read": seconds["reading"], "prepare": seconds["scaling"] + seconds["preparing"],
            "train": seconds["solving"], "trained_at": end, "processor": processor, "memory": report["peak_memory"],
            "squared_norm": sum(entry["weight"]**2 for entry in report["weights"])}, start


def run_peer(tool, data, tolerance, limit):
    program = [DLIB] if tool.program == "dlib" else [PYTHON, PROGRAMS / "python_peer.py", tool.program]
    start, printed, _, _ = timed([*program, data.train, data.test, C, tolerance, FOLDER], limit)
    return json.loads(printed.splitlines()[-1]), start


def run(tool, data, tolerance, limit):
    runner = run_rankine if tool.program == "rankine" else run_peer
    report, start = runner(tool, data, tolerance, limit)
    objectives = {}
    if "squared_norm" in report:
        judged = subprocess.run(
            [PYTHON, PROGRAMS / "judge.py", data.train, FOLDER / "train.scores",
             repr(report["squared_norm"]), repr(C)], stdout=subprocess.PIPE, text=True, check=True)
        objectives = json.loads(judged.stdout)
    measured = json.loads(rankine("evaluate", data.test, "--scores", FOLDER / "test.scores",
                                  "--measures", "ndcg@10", "--json"))
    return Run(report["read"], report["prepare"] + report["train"], report["trained_at"] - start,
               report["processor"], report["memory"], objectives, measured["measures"]["ndcg@10"]["mean"])


def runs_of(tool, data, num_pairs, limit):
    """Runs for each tolerance; the default's best of three, or of one where it is slow, comes first."""
    if num_pairs > tool.most_pairs:
        raise Failure(f"{num_pairs:.3g} listed differences would not fit in memory")
    runs = [run(tool, data, tool.tolerances[0], limit)]
    if runs[0].end_to_end < QUICK:
        repeated = [runs[0], *(run(tool, data, tool.tolerances[0], limit) for _ in range(2))]
        runs = sorted(repeated, key=lambda r: r.end_to_end)
    for tolerance in tool.tolerances[1:]:
        try:
            runs.append(run(tool, data, tolerance, limit))
        except Failure:
            pass  # its row says how far it came
    return runs


def time_to_best(tool, runs, best):
    """The shortest training that came close to the lowest objective; None where none did."""
    close = [r.train for r in runs if r.objectives.get(tool.loss, float("inf")) <= CLOSE * best[tool.loss]]
    return min(close, default=None)


def seconds_text(value):
    return "-" if value is None else f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def ratio_text(value, ours):
    return f"{value / ours:.1f}" if value / ours < 10 else f"{value / ours:.0f}"


def row_text(tool, runs, ours, best):
    first = runs[0]
    cells = [tool.name, *map(seconds_text, [first.read, first.train, first.end_to_end, first.processor]),
             seconds_text(time_to_best(tool, runs, best) if tool.loss in best else None)]
    for loss in ["squared_hinge", "hinge"]:
        cells.append(f"{first.objectives[loss]:.6g}" if first.objectives else "-")
    cells += [f"{first.ndcg:.4f}", f"{first.memory / 1e6:.0f}",
              *(ratio_text(getattr(first, name), getattr(ours, name)) for name in RATIOS)]
    return "| " + " | ".join(cells) + " |"


HEAD = ("| tool | read, s | train, s | end to end, s | processor, s | to 0.1 %, s | objective, squared hinge "
        "| objective, hinge | NDCG@10 | memory, MB | times ours: end to end | train | processor | memory |")


def compare(data, tools, limit):
    facts = json.loads(rankine("inspect", data.train, "--json"))
    print(f"\n## {data.name}: {facts['documents']:,} documents x {facts['features']} features, "
          f"{facts['pairs']:,} pairs, {data.train.stat().st_size / 1e6:.0f} MB of text, C = {C:g}\n", flush=True)
    done, skipped = [], []
    for tool in tools:
        try:
            done.append((tool, runs_of(tool, data, facts["pairs"], limit)))
        except Failure as failure:
            skipped.append(f"{tool.name}: skipped: {failure}")
    ours = next(runs[0] for tool, runs in done if tool.name == "rankine")
    best = {loss: min(r.objectives[loss] for tool, runs in done for r in runs if tool.loss == loss)
            for loss in {tool.loss for tool, runs in done} & {"squared_hinge", "hinge"}}
    print(HEAD + "\n|---" + "|---" * (HEAD.count("|") - 2) + "|")
    for tool, runs in done:
        print(row_text(tool, runs, ours, best))
    print("\n" + "\n".join([*skipped, memory_text(data, facts, ours)]), flush=True)


def memory_text(data, facts, ours):
    """Where our memory goes: a run of its own, watched as it goes."""
    matrix = 4 * facts["documents"] * facts["features"]
    command = [RANKINE, "train", data.train, "--model", FOLDER / "model.rkn", "--C", C, "--scaling", "none",
               "--normalisation", "none", "--quiet"]
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    most = {"RssAnon": 0, "RssFile": 0}
    while process.poll() is None:
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in most:
                most[name] = max(most[name], 1024 * int(rest.split()[0]))
        time.sleep(0.002)
    return (f"rankine's memory: matrix {matrix / 1e6:.1f} MB, peak {ours.memory / 1e6:.1f} MB, "
            f"{ours.memory / matrix:.2f} times the matrix; of it at most {most['RssAnon'] / 1e6:.1f} MB its own "
            f"and {most['RssFile'] / 1e6:.1f} MB pages of files (programs, libraries, text)")


def letor_data():
    folder = pathlib.Path(os.environ.get("RANKINE_LETOR_DIR", ROOT / "build" / "letor")) / "mq2007" / "Fold1"
    if not (folder / "train.txt").exists():
        print(f"mq2007: skipped: no {folder / 'train.txt'}; RANKINE_LETOR_DIR names the sets' folder")
        return None
    return Data("MQ2007, fold 1", folder / "train.txt", folder / "test.txt")


def synthetic_data(name, num_queries):
    """Queries of 140 documents with five grades; another tenth of them, of the same truth, is the test part."""
    train, test = FOLDER / f"{name}_train.txt", FOLDER / f"{name}_test.txt"
    if not (train.exists() and test.exists()):
        everything = FOLDER / f"{name}.txt"
        rankine("synth", everything, "--queries", num_queries + num_queries // 10, "--documents", 140)
        with open(everything, "rb") as source, open(test, "wb") as rest:
            with open(train.with_suffix(".part"), "wb") as first:
                first.writelines(itertools.islice(source, 140 * num_queries))
            rest.writelines(source)
        train.with_suffix(".part").rename(train)
        everything.unlink()
    return Data(f"synthetic, {name}", train, test)


DATA = {"mq2007": letor_data, "medium": lambda: synthetic_data("medium", 500),
        "large": lambda: synthetic_data("large", 5000)}


def build_dlib_peer():
    """Whether dlib's program is there; built for this machine, to its advantage."""
    source = PROGRAMS / "dlib_peer.cpp"
    if DLIB.exists() and DLIB.stat().st_mtime > source.stat().st_mtime:
        return True
    command = ["c++", "-O3", "-march=native", "-DNDEBUG", "-std=c++17", source, "-o", DLIB, "-ldlib", "-lblas",
               "-llapack"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=",".join(DATA), help="of " + ", ".join(DATA))
    parser.add_argument("--peers", help="programs, of " + ", ".join(dict.fromkeys(t.program for t in TOOLS)))
    parser.add_argument("--limit", type=float, default=180, help="seconds a run may take")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    programs = {"rankine", *options.peers.split(",")} if options.peers else {tool.program for tool in TOOLS}
    if "dlib" in programs and not build_dlib_peer():
        print("dlib: skipped: it does not compile; libdlib-dev is missing?")
        programs.discard("dlib")
    if not PYTHON.exists():
        sys.exit("peers.py: no build/peers_venv: tools/install_dependencies bench makes it")
    print("RLScore: not among the peers: its source package does not build on Python 3.11 and later.\n"
          "LIBLINEAR: its solver is LinearSVC's; its reader is timed by reader_benchmark.")
    for name in options.data.split(","):
        data = DATA[name]()
        if data is not None:
            compare(data, [tool for tool in TOOLS if tool.program in programs], options.limit)


if __name__ == "__main__":
    main()
