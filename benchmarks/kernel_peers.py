#!/usr/bin/env python3
"""Approximate kernels beside scikit-learn's: kernel_peers.py [--components M,...] [--limit SECONDS] [--memory GB]

On fold 1 of MQ2007, rbf kernel, gamma = 2^-5, C = 2^-2, features as they are, nothing normalised. Ours is
`rankine train --kernel rbf --approximation nystroem|fourier`. The peers are scikit-learn's Nystroem and
RBFSampler, each before LinearSVC on listed differences and before SGDClassifier on differences of drawn
pairs. What counts is the time of training (map and solver, not reading) until MeanNDCG on the validation
part, by LETOR's convention, is equal to ours or better; equal is within 0.0005. Each tool runs in a process of its
own (peer_programs/kernel_peer.py).
"""
import argparse
import dataclasses
import json
import resource
import signal
import subprocess
import sys

import peers

C = 2**-2
GAMMA = 2**-5
EQUAL = 0.0005
MAPS = {"nystroem": "Nystroem", "fourier": "RBFSampler"}
SOLVERS = ["LinearSVC", "SGDClassifier"]


@dataclasses.dataclass
class Step:
    """A model that came of some training."""
    step: str
    train: float
    processor: float
    memory: int
    mean_ndcg: float


def ours(data, vali, name, components):
    command = ["train", data.train, "--model", peers.FOLDER / "kernel.rkn", "--valid", vali, "--select", "mean_ndcg",
               "--convention", "letor", "--kernel", "rbf", "--gamma", GAMMA, "--approximation", name,
               "--n-components", components, "--C", C, "--scaling", "none", "--normalisation", "none", "--json"]
    best = None
    for _ in range(3):
        before = peers.processor_time()
        report = json.loads(peers.rankine(*command))
        seconds = report["seconds"]
        train = report["map"]["seconds"] + sum(seconds[part] for part in ["scaling", "preparing", "solving"])
        run = Step(f"converged, rank {report['map']['rank']}", train, peers.processor_time() - before,
                   report["peak_memory"], report["validation"]["mean"])
        if best is None or run.train < best.train:
            best = run
    return best


def steps_of(data, vali, name, solver, components, target, options):
    """The peer's steps, and why it ended early, if it did."""
    command = [peers.PYTHON, peers.PROGRAMS / "kernel_peer.py", name, solver, components, C, GAMMA, data.train, vali,
               target, options.memory, peers.RANKINE, peers.FOLDER]
    limits = (options.limit, options.limit + 5)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits))
    trouble = ""
    if done.returncode == -signal.SIGXCPU:
        trouble = f"stopped after {options.limit} s of processor time"
    elif done.returncode != 0:
        trouble = f"ended with status {done.returncode}: {(done.stderr.splitlines() or [''])[-1]}"
    return [Step(**json.loads(line)) for line in done.stdout.splitlines()], trouble


def row_text(tool, step, reference, reached):
    more = "" if reached else "> "
    ratios = [more + peers.ratio_text(getattr(step, name), getattr(reference, name))
              for name in ["train", "processor", "memory"]]
    cells = [tool, step.step, f"{step.mean_ndcg:.4f}", more + peers.seconds_text(step.train),
             more + peers.seconds_text(step.processor), f"{step.memory / 1e6:.0f}", *ratios]
    return "| " + " | ".join(cells) + " |"


HEAD = ("| tool | how far it went | MeanNDCG, validation | train, s | processor, s | memory, MB "
        "| times ours: train | processor | memory |")


def compare(data, vali, components, options):
    print(f"\n## {data.name}: {components} components, rbf, gamma = {GAMMA:g}, C = {C:g}\n")
    print(HEAD + "\n|---" + "|---" * (HEAD.count("|") - 2) + "|", flush=True)
    notes = []
    for name, theirs in MAPS.items():
        reference = ours(data, vali, name, components)
        target = reference.mean_ndcg - EQUAL
        print(row_text(f"rankine, {name}", reference, reference, True), flush=True)
        for solver in SOLVERS:
            steps, trouble = steps_of(data, vali, name, solver, components, target, options)
            tool = f"{theirs}, {solver}"
            if trouble:
                notes.append(f"{tool}: {trouble}")
            if not steps:
                notes.append(f"{tool}: no model by then")
                continue
            reached = steps[-1].mean_ndcg >= target
            print(row_text(tool, steps[-1] if reached else dataclasses.replace(
                steps[-1], mean_ndcg=max(step.mean_ndcg for step in steps)), reference, reached), flush=True)
            if not reached:
                notes.append(f"{tool}: did not reach {reference.mean_ndcg:.4f}; its row has its best measure "
                             "and its whole training")
    print("\n" + "\n".join(notes), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--components", default="500,2000", help="numbers of landmarks or random features")
    parser.add_argument("--limit", type=int, default=300, help="seconds of processor time a peer may take")
    parser.add_argument("--memory", type=float, default=3, help="gigabytes that listed differences may take")
    options = parser.parse_args()
    peers.FOLDER.mkdir(parents=True, exist_ok=True)
    if not peers.PYTHON.exists():
        sys.exit("kernel_peers.py: no build/peers_venv: tools/install_dependencies bench makes it")
    data = peers.letor_data()
    if data is None:
        return
    for components in options.components.split(","):
        compare(data, data.train.with_name("vali.txt"), int(components), options)


if __name__ == "__main__":
    main()
