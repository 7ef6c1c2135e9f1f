#!/usr/bin/env python3
"""Makes the tables of docs/results.md from the LETOR folds. Usage: make_results.py [TABLE...]

    --rankine FILE  the program (default build/release/cli/rankine)
    --letor FOLDER  the sets, as ohsumed/Fold1/train.txt (default RANKINE_LETOR_DIR, or build/letor)
    --page FILE     the page (default docs/results.md)

A table stands in the page between `<!-- table: NAME -->` and `<!-- end -->`; all else is prose and is kept.
A new table is a function under @table("NAME") that returns its rows, and those two lines in the page.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDS = range(1, 6)
PAPER_SETTING = ["--scaling", "none", "--normalisation", "none"]
TABLES = {}  # by name: a function of Folds that returns rows of cells, the head first


def table(name):
    def keep(function):
        TABLES[name] = function
        return function
    return keep


class Folds:
    """One data set in five folds, and what Rankine makes of it."""

    def __init__(self, rankine, letor_dir, scratch_dir):
        self.rankine = rankine
        self.letor_dir = letor_dir
        self.scratch_dir = scratch_dir

    def part(self, data, fold, name):
        path = self.letor_dir / data / f"Fold{fold}" / f"{name}.txt"
        if not path.exists():
            raise FileNotFoundError(f"{path} is missing")
        return path

    def run(self, *arguments):
        command = [str(self.rankine), *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"make_results: {' '.join(command)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def train(self, data, fold, *arguments):
        """The model's file and the report of its training."""
        model = pathlib.Path(tempfile.mkdtemp(dir=self.scratch_dir)) / "model.rkn"
        return model, self.run("train", self.part(data, fold, "train"), "--model", model, *arguments)

    def test(self, data, fold, model, measures, *arguments):
        """Means of the measures on the fold's test part, by LETOR's rules."""
        result = self.run("evaluate", self.part(data, fold, "test"), "--model", model, "--convention", "letor",
                          "--measures", ",".join(measures), *arguments)
        return {name: entry["mean"] for name, entry in result["measures"].items()}

    def best_on_validation(self, data, fold, exponents, measure, *arguments):
        """The exponent of the C that is best on the validation part (the smallest of equals), and its model."""
        def fit(exponent):
            return self.train(data, fold, "--valid", self.part(data, fold, "vali"), "--C", f"2^{exponent}",
                              "--select", measure, "--convention", "letor", "--threads", 1, *arguments)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            fits = list(pool.map(fit, exponents))
        best = max(range(len(fits)), key=lambda k: (fits[k][1]["validation"]["mean"], -k))
        return exponents[best], fits[best][0]


def short(value):
    """A measure as the papers write it: .4536"""
    return f"{value:.4f}".removeprefix("0")


def mean(values):
    return sum(values) / len(values)


@table("ohsumed")
def ohsumed(folds):
    objectives, measured = [], []
    for fold in FOLDS:
        model, report = folds.train("ohsumed", fold, "--C", "1e-4", *PAPER_SETTING)
        objectives.append(report["objective"])
        measured.append(folds.test("ohsumed", fold, model, ["ndcg@10", "map"]))
    rows = [["", "fold 1", "2", "3", "4", "5", "mean", "paper"],
            ["objective", *(f"{value:.4f}" for value in objectives), "", ""]]
    for title, name, paper in [("NDCG@10", "ndcg@10", ".454"), ("MAP (grades 1 and 2 relevant)", "map", "")]:
        values = [entry[name] for entry in measured]
        rows.append([title, *map(short, values), short(mean(values)), paper])
    return rows


@table("mq2007")
def mq2007(folds):
    measures = {"ndcg@1": ".4109", "ndcg@3": ".4063", "mean_ndcg": ".4973", "p@1": ".4747", "p@3": ".4317",
                "map": ".4655"}  # with the paper's figures
    rows = [["", "C", "NDCG@1", "NDCG@3", "MeanNDCG", "P@1", "P@3", "MAP"]]
    measured = []
    for fold in FOLDS:
        exponent, model = folds.best_on_validation("mq2007", fold, range(-12, 7), "mean_ndcg", *PAPER_SETTING)
        measured.append(folds.test("mq2007", fold, model, measures))
        rows.append([f"fold {fold}", f"2^{exponent}", *(short(measured[-1][name]) for name in measures)])
    rows.append(["mean", "", *(short(mean([entry[name] for entry in measured])) for name in measures)])
    rows.append(["paper", "", *measures.values()])
    return rows


def tuned(folds, data, measures, *arguments):
    """Five-fold test means of rankine tune, C and gamma chosen on each fold's own vali."""
    grids = ["--grid", "C=2^-12..2^6"]
    if "--kernel" in arguments:
        grids += ["--grid", "gamma=2^-12..2^2"]
    folds.part(data, 1, "train")  # says what is missing
    result = folds.run("tune", "--folds", folds.letor_dir / data, *arguments, *grids, "--select", "mean_ndcg",
                       "--convention", "letor", "--measures", ",".join(measures), *PAPER_SETTING)
    return {name: mean([fold["test"][name] for fold in result["folds"]]) for name in measures}


def fixed(folds, data, measures, *arguments):
    """Five-fold test means with one setting for all folds."""
    tested = [folds.test(data, fold, folds.train(data, fold, *arguments, *PAPER_SETTING)[0], measures)
              for fold in FOLDS]
    return {name: mean([entry[name] for entry in tested]) for name in measures}


def over_seeds(title, run, measures):
    """Two rows: means over five seeds of the random draws, and their standard deviations.

    run(seed) gives values by measure.
    """
    runs = [run(seed) for seed in range(1, 6)]
    return [[f"{title}, mean of 5 seeds", *(short(mean([each[name] for each in runs])) for name in measures)],
            ["deviation over seeds", *(short(statistics.stdev(each[name] for each in runs)) for name in measures)]]


def chen_rows(folds, data, measures, components, paper, setting, tune_once=False):
    """Both maps beside the paper's figures.

    C and gamma are chosen for each fold (by one seed where five take too long), and fixed for all folds.
    """
    everywhere = ["--C", setting["C"], "--gamma", setting["gamma"]]
    for title, approximation in CHEN_MAPS.items():
        arguments = rbf(approximation, components)
        yield [f"{title}, paper", *paper[approximation]]
        if tune_once:
            chosen = tuned(folds, data, measures, *arguments)
            yield ["ours", *(short(chosen[name]) for name in measures)]
        else:
            run = functools.partial(tuned, folds, data, measures, *arguments, "--seed")
            yield from over_seeds("ours", run, measures)
        run = functools.partial(fixed, folds, data, measures, *arguments, *everywhere, "--seed")
        yield from over_seeds(f"ours, C = {setting['C']}, gamma = {setting['gamma']} in all folds", run, measures)


def rbf(approximation, components):
    return ["--kernel", "rbf", "--approximation", approximation, "--n-components", components]


CHEN_MAPS = {"RankNystroem": "nystroem", "RankRandomFourier": "fourier"}


@table("chen_2")
def chen_2(folds):
    """Chen et al. 2017, table 2: fold 1 of MQ2007. Times are of training from data in memory."""
    kernel = ["--C", "2^-2", "--gamma", "2^-5"]
    settings = [
        ("RankSVM-TRON, linear, hinge", ".5265", "1.9", ["--loss", "hinge", "--C", "2^-5"]),
        ("RankSVM-Primal, linear, squared hinge", ".5270", "1.2", ["--C", "2^-10"]),
        ("RankSVM-TRON, RBF, hinge; ours exact, squared hinge", ".5310", "47463.5", ["--kernel", "rbf", *kernel]),
        ("RankNystroem, m = 2000", ".5330", "10.9", [*rbf("nystroem", 2000), *kernel]),
        ("RankRandomFourier, m = 2000", ".5336", "16.1", [*rbf("fourier", 2000), *kernel]),
    ]
    rows = [["", "MeanNDCG, paper", "ours", "seconds, paper", "ours"]]
    for title, paper, paper_seconds, arguments in settings:
        model, report = folds.train("mq2007", 1, *arguments, *PAPER_SETTING)
        value = folds.test("mq2007", 1, model, ["mean_ndcg"])["mean_ndcg"]
        seconds = report["seconds"]["preparing"] + report["seconds"]["solving"]
        if "--approximation" in arguments:
            seconds += report["map"]["seconds"]
        rows.append([title, paper, short(value), paper_seconds, f"{seconds:.2g}"])
    return rows


@table("chen_4")
def chen_4(folds):
    """Chen et al. 2017, table 4: OHSUMED, m = 500."""
    measures = ["ndcg@1", "ndcg@3", "ndcg@5", "p@1", "p@3", "map"]
    rows = [["", "NDCG@1", "NDCG@3", "NDCG@5", "P@1", "P@3", "MAP"],
            ["RankSVM-Primal, paper", ".5645", ".5004", ".4782", ".6710", ".6112", ".4439"]]
    linear = tuned(folds, "ohsumed", measures)
    rows.append(["ours", *(short(linear[name]) for name in measures)])
    paper = {"nystroem": [".5730", ".4874", ".4780", ".6801", ".5890", ".4473"],
             "fourier": [".5728", ".4965", ".4804", ".6801", ".5983", ".4472"]}
    rows += chen_rows(folds, "ohsumed", measures, 500, paper, {"C": "2^-6", "gamma": "2^-6"})
    exact = fixed(folds, "ohsumed", measures, "--kernel", "rbf", "--C", "2^-6", "--gamma", "2^-6")
    rows.append(["exact kernel, C = 2^-6, gamma = 2^-6 in all folds", *(short(exact[name]) for name in measures)])
    return rows


@table("chen_5")
def chen_5(folds):
    """Chen et al. 2017, table 5: MQ2007, m = 2000."""
    measures = ["ndcg@1", "ndcg@3", "mean_ndcg", "p@1", "p@3", "map"]
    rows = [["", "NDCG@1", "NDCG@3", "MeanNDCG", "P@1", "P@3", "MAP"],
            ["RankSVM-Primal, paper", ".4109", ".4063", ".4973", ".4747", ".4317", ".4655"]]
    linear = tuned(folds, "mq2007", measures)
    rows.append(["ours", *(short(linear[name]) for name in measures)])
    paper = {"nystroem": [".4242", ".4138", ".5036", ".4888", ".4394", ".4695"],
             "fourier": [".4224", ".4136", ".5036", ".4871", ".4386", ".4698"]}
    rows += chen_rows(folds, "mq2007", measures, 2000, paper, {"C": "2^4", "gamma": "2^-8"}, tune_once=True)
    return rows


def rls_on_validation(folds, data, fold, *arguments):
    """The setting of alpha and of ties that is best on the validation part, and its test measures."""
    best = None
    for ties in ("include", "exclude") if "--pairs" not in arguments else ("include",):
        model, report = folds.train(data, fold, "--method", "rls", "--alpha", RLS_GRID, "--ties", ties,
                                    "--select", "map", "--convention", "letor",
                                    "--valid", folds.part(data, fold, "vali"), *arguments)
        if best is None or report["validation"]["mean"] > best[0]:
            best = report["validation"]["mean"], model, report["options"]["alpha"]
    if float(best[2]) in RLS_EDGES:
        print(f"make_results: {data}, fold {fold}, {' '.join(arguments)}: alpha {best[2]} is an edge of the grid",
              file=sys.stderr)
    return folds.test(data, fold, best[1], RLS_MEASURES)


RLS_GRID = "2^-14..2^30"  # the same for all, wide enough for every normalisation
RLS_EDGES = (2.0**-14, 2.0**30)
RLS_MEASURES = ["map", "ndcg@1", "ndcg@10"]


@table("rls")
def rls(folds):
    rows = [["", "MAP", "NDCG@1", "NDCG@10"]]
    for data, title in [("ohsumed", "OHSUMED"), ("mq2007", "MQ2007")]:
        measured = {
            "RankRLS": [rls_on_validation(folds, data, fold) for fold in FOLDS],
            "RankRLS, `--normalisation none`": [
                rls_on_validation(folds, data, fold, "--normalisation", "none") for fold in FOLDS],
            "regression (`--pairs none`)": [
                rls_on_validation(folds, data, fold, "--pairs", "none", "--normalisation", "none") for fold in FOLDS],
            "RankSVM": [folds.test(data, fold, folds.best_on_validation(data, fold, range(-12, 3), "map")[1],
                                   RLS_MEASURES) for fold in FOLDS]}
        for name, entries in measured.items():
            means = [short(mean([entry[each] for entry in entries])) for each in RLS_MEASURES]
            rows.append([f"{title}, {name}", *means])
    rows.append(["OHSUMED (25 older features), RankRLS in the paper", ".447", ".549", ".443"])
    return rows


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---" * len(rows[0]) + "|")
    return "\n".join(re.sub(r" {2,}", " ", line) for line in lines)


def with_table(page, name, text):
    """The page with one table replaced."""
    pattern = re.compile(rf"(<!-- table: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(page):
        sys.exit(f"make_results: the page has no place for the table {name}")
    return pattern.sub(lambda match: f"{match[1]}{text}\n{match[2]}", page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="of " + ", ".join(TABLES) + "; all unless given")
    parser.add_argument("--rankine", type=pathlib.Path, default=ROOT / "build/release/cli/rankine")
    parser.add_argument("--letor", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("RANKINE_LETOR_DIR", ROOT / "build/letor")))
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/results.md")
    options = parser.parse_args()
    for name in options.tables:
        if name not in TABLES:
            sys.exit(f"make_results: there is no table {name}; there are {', '.join(TABLES)}")
    with tempfile.TemporaryDirectory() as scratch_dir:
        folds = Folds(options.rankine, options.letor, scratch_dir)
        for name in options.tables or TABLES:
            try:
                text = markdown(TABLES[name](folds))
            except FileNotFoundError as error:
                sys.exit(f"make_results: {error}: give the folder of the LETOR sets by --letor or RANKINE_LETOR_DIR")
            print(f"{name}\n\n{text}\n", flush=True)
            options.page.write_text(with_table(options.page.read_text(encoding="utf-8"), name, text), encoding="utf-8")


if __name__ == "__main__":
    main()
