#!/usr/bin/env python3
"""RankRLS beside RLScore on dense LETOR text: time, memory, equal weights. Usage: rls_peer.py FILE --python PYTHON

PYTHON is a Python that has rlscore. RLScore divides the loss of a query by its number of documents. Here that is
a weight of the query, so both minimise the same objective and their weights can be compared. The text must have
every feature in every row.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEER = ROOT / "benchmarks/peer_programs/rlscore_peer.py"


def ours(rankine, data, alpha):
    """The report of the fastest of some runs."""
    with tempfile.TemporaryDirectory() as folder:
        link = pathlib.Path(folder) / "train.txt"
        link.symlink_to(data.resolve())
        with open(data) as lines:
            sizes = collections.Counter(line.split(None, 2)[1] for line in lines)  # in the order of first appearance
        (pathlib.Path(folder) / "train.txt.weight").write_text("".join(f"{1 / size!r}\n" for size in sizes.values()))
        reports = []
        for _ in range(15):
            done = subprocess.run([rankine, "train", link, "--method", "rls", "--alpha", str(alpha),
                                   "--scaling", "none", "--normalisation", "none",
                                   "--model", f"{folder}/m.rkn", "--json", "--quiet"],
                                  check=True, capture_output=True, text=True)
            reports.append(json.loads(done.stdout))
    return min(reports, key=lambda report: report["seconds"]["preparing"] + report["seconds"]["solving"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--python", required=True, help="a Python that has rlscore")
    parser.add_argument("--rankine", default=str(ROOT / "build/release/cli/rankine"))
    parser.add_argument("--alpha", type=float, default=1)
    options = parser.parse_args()
    report = ours(options.rankine, options.file, options.alpha)
    peer = json.loads(subprocess.run([options.python, PEER, options.file, str(options.alpha)], check=True,
                                     capture_output=True, text=True).stdout)
    seconds = report["seconds"]
    training = seconds["preparing"] + seconds["solving"]
    weights = {int(each["feature"]): each["weight"] for each in report["weights"]}
    apart = max(abs(weights[k + 1] - weight) for k, weight in enumerate(peer["weights"]))
    largest = max(map(abs, peer["weights"]))
    print("| | read, s | train, s | both, s | memory, MB |\n|---|---|---|---|---|")
    print(f"| rankine | {seconds['reading']:.3f} | {training:.4f} | {seconds['reading'] + training:.3f} | "
          f"{report['peak_memory'] / 1e6:.0f} |")
    print(f"| RLScore | {peer['reading']:.3f} | {peer['training']:.4f} | {peer['reading'] + peer['training']:.3f} | "
          f"{peer['memory'] / 1e6:.0f} |")
    print(f"\ntraining {peer['training'] / training:.0f} times faster "
          f"({peer['processor'] / training:.0f} by the peer's processor time), end to end "
          f"{(peer['reading'] + peer['training']) / (seconds['reading'] + training):.0f} times; "
          f"weights differ by {apart / largest:.1e} of the largest")


if __name__ == "__main__":
    main()
