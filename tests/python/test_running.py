"""Threads, interrupts, callbacks, progress and memory."""
import gc
import math
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import rankine


def test_two_fits_at_once_give_the_bits_of_one(small):
    alone = rankine.RankSVM().fit(small.X, small.y, qid=small.qid).coef_
    results = [None] * 4

    def work(index):
        for _ in range(20):
            results[index] = rankine.RankSVM(threads=2).fit(small.X, small.y, qid=small.qid).coef_

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, alone)


def test_python_runs_while_a_ranker_is_trained():
    data = rankine.datasets.make_ranking(queries=300, features=30)
    started, ticks, finished = threading.Event(), [], threading.Event()

    def train():
        rankine.RankSVM(method="sgd", epochs=1e6, time_limit=0.5).fit(
            data.X, data.y, qid=data.qid, callback=lambda _: started.set())
        finished.set()

    thread = threading.Thread(target=train)
    thread.start()
    started.wait(60)
    while not finished.is_set():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    thread.join()
    assert len(ticks) > 10


def test_a_callback_sees_progress_and_may_stop(small):
    seen = []

    def stop_at_three(progress):
        seen.append(progress)
        return len(seen) < 3

    ranker = rankine.RankSVM(loss="hinge").fit(small.X, small.y, qid=small.qid, callback=stop_at_three)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[0].stage == "training" and seen[0].unit == "iterations"
    assert len(seen) == 3
    assert ranker.report_.termination == "interrupted"
    assert np.isfinite(ranker.predict(small.X)).all()


@pytest.mark.parametrize("options", [{}, {"loss": "hinge"}, {"kernel": "rbf"}], ids=str)
def test_a_callback_sees_phase_iteration_and_objective(small, options):
    seen = []
    ranker = rankine.RankSVM(**options).fit(small.X, small.y, qid=small.qid, callback=seen.append)
    solving = [progress for progress in seen if progress.phase == "solving"]
    assert {progress.phase for progress in seen} <= {"preparing", "solving"} and solving
    assert all(math.isnan(progress.objective) for progress in seen if progress.phase == "preparing")
    objectives = [progress.objective for progress in solving if not math.isnan(progress.objective)]
    assert objectives == sorted(objectives, reverse=True) and objectives[0] > objectives[-1]
    assert objectives[-1] == pytest.approx(ranker.report_.objective, rel=0.1)
    assert solving[-1].iteration == solving[-1].done > 0


def test_a_callback_of_tuning_sees_the_best_measure_so_far(small):
    seen = []
    tuned = rankine.model_selection.tune(rankine.RankSVM(threads=1), small.X, small.y, qid=small.qid, folds=2,
                                         grid={"loss": ["huber", "squared_hinge"]}, callback=seen.append)
    assert math.isnan(seen[0].measure) and seen[0].iteration == 0
    assert seen[-1].measure == pytest.approx(tuned.best.mean)


def test_conjugate_gradients_keep_what_they_have_when_they_are_stopped(small):
    def stop(progress):
        return progress.done < 2

    ranker = rankine.RankRLS(solver="cg").fit(small.X, small.y, qid=small.qid, callback=stop)
    whole = rankine.RankRLS(solver="cg").fit(small.X, small.y, qid=small.qid)
    assert ranker.report_.termination == "interrupted" and ranker.n_iter_ < whole.n_iter_
    assert ranker.predict(small.X).std() > 0


def test_a_callback_may_use_other_rankers(small):
    other = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    many = np.tile(small.X, (100, 1))
    called = []

    def look(progress):
        if len(called) < 5:
            other.predict(many)
            called.append(other.fit(small.X, small.y, qid=small.qid))

    ranker = rankine.RankSVM(loss="hinge").fit(small.X, small.y, qid=small.qid, callback=look)
    assert ranker.report_.termination == "converged" and called
    called.clear()
    grid = {"C": [0.1, 1.0, 10.0]}
    rankine.model_selection.tune(ranker, small.X, small.y, qid=small.qid, grid=grid, folds=3, callback=look)
    assert called


def test_a_stopped_training_still_tells_its_objective(small):
    deadline = time.monotonic() + 0.2
    ranker = rankine.RankSVM(method="sgd", epochs=1e9)
    ranker.fit(small.X, small.y, qid=small.qid, callback=lambda progress: time.monotonic() < deadline)
    assert ranker.report_.termination == "interrupted" and np.isfinite(ranker.report_.objective)


def test_what_a_callback_raises_comes_out_and_the_model_stays(small):
    class Enough(Exception):
        pass

    def fail(_):
        raise Enough("no more")

    ranker = rankine.RankSVM(loss="hinge")
    with pytest.raises(Enough, match="no more"):
        ranker.fit(small.X, small.y, qid=small.qid, callback=fail)
    assert ranker.report_.termination == "interrupted"
    assert len(ranker.predict(small.X)) == len(small.y)


def interrupted(work):
    """What a program prints whose work is ended by Ctrl-C a moment after it said "ready".

    It says so before the work, or where that calls ``ready``, or by the callback ``iterates`` once there has been an
    iteration.
    """
    program = f"""
import numpy as np
import rankine
data = rankine.datasets.make_ranking(queries=2500, documents=40, features=30)
queries = dict(qid=data.qid)
told = []
def ready():
    if not told: print("ready", flush=True)
    told.append(True)
def iterates(progress):
    if progress.done > 0: ready()
if {not any(call in work[0] for call in ("iterates", "ready()"))}: ready()
try:
{textwrap.indent(textwrap.dedent(work[0]), "    ")}
    print("came to its end")
except KeyboardInterrupt as error:
{textwrap.indent(textwrap.dedent(work[1]), "    ")}
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=300)[0]
    assert process.returncode == 0
    return printed


# Each would go on for a minute at least.
@pytest.mark.parametrize("ranker", [
    "RankSVM(method='sgd', epochs=1e7)",
    "RankSVM(loss='hinge', C=1e6, tolerance=1e-15, max_iterations=1000000)",
])
def test_ctrl_c_stops_iterations_and_keeps_the_best_model(ranker):
    assert interrupted([f"""
        ranker = rankine.{ranker}
        ranker.fit(data.X, data.y, callback=iterates, **queries)
    """, """
        assert ranker.report_.termination == "interrupted", ranker.report_
        assert ranker.n_iter_ > 0 and ranker.predict(data.X).std() > 0
        print("kept")
    """]) == "kept\n"


@pytest.mark.parametrize("ranker", [
    "RankSVM(kernel='rbf', approximation='nystroem', n_components=6000)",
    "RankSVM(kernel='rbf', approximation='nystroem', n_components=6000, landmarks='rpcholesky')",
    "RankSVM(kernel='laplacian', memory_limit=100)",
    "RankRLS(kernel='rbf', approximation='nystroem', n_components=6000)",
])
def test_ctrl_c_before_there_is_a_model_leaves_the_ranker_as_it_was(ranker):
    assert interrupted([f"""
        ranker = rankine.{ranker}
        ranker.fit(data.X, data.y, **queries)
    """, """
        assert not hasattr(ranker, "model_")
        print("as it was")
    """]) == "as it was\n"


def test_ctrl_c_stops_tuning():
    assert interrupted(["""
        grid = {"C": [0.1, 1.0], "gamma": "2^-8..2^8"}
        ranker = rankine.RankSVM(kernel="rbf", approximation="fourier", n_components=4000)
        rankine.model_selection.tune(ranker, data.X, data.y, grid=grid, **queries)
    """, """
        print("stopped")
    """]) == "stopped\n"


def test_ctrl_c_stops_scoring():
    assert interrupted(["""
        some = slice(0, 4000)
        ranker = rankine.RankSVM(kernel="laplacian", max_iterations=1).fit(data.X[some], data.y[some])
        many = np.tile(data.X, (20, 1))
        ready()
        ranker.predict(many)
    """, """
        print("stopped")
    """]) == "stopped\n"


def test_ctrl_c_in_a_path_leaves_what_is_done_in_the_exception():
    assert interrupted(["""
        ranker = rankine.RankSVM(loss="hinge", tolerance=1e-15, max_iterations=1000000)
        rankine.model_selection.train_path(ranker, data.X, data.y, C=[1e6, 1e7, 1e8], callback=iterates, **queries)
    """, """
        assert [ranker.report_.termination for ranker in error.path] == ["interrupted"]
        print(error.path[0].C)
    """]) == "1000000.0\n"


def test_verbose_shows_progress_on_standard_error(small, capfd):
    rankine.RankSVM(verbose=True, loss="hinge").fit(small.X, small.y, qid=small.qid)
    out, err = capfd.readouterr()
    assert "training" in err and not out


def test_a_time_limit_ends_with_a_model(small):
    ranker = rankine.RankSVM(method="sgd", epochs=1e9, time_limit=0.05).fit(small.X, small.y, qid=small.qid)
    assert ranker.report_.termination == "time limit"


def test_a_thousand_fits_leak_nothing(small):
    def fit_many(count):
        for _ in range(count):
            X = np.array(small.X)
            ranker = rankine.RankSVM(threads=2).fit(X, small.y, qid=small.qid)
            ranker.predict(X)
            rankine.metrics.ndcg(small.y, small.y, qid=small.qid, threads=2)
            try:
                rankine.RankSVM(C=-1).fit(X, small.y)
            except ValueError:
                pass
        gc.collect()

    fit_many(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit_many(1000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 2000, f"{grown} kB in 1,000 fits of {small.X.nbytes // 1024} kB of features"


def test_arrays_are_let_go_when_nobody_needs_them(small):
    X = np.array(small.X)
    before = sys.getrefcount(X)
    ranker = rankine.RankSVM().fit(X, small.y, qid=small.qid)
    ranker.predict(X)
    assert sys.getrefcount(X) == before


def test_saving_with_standard_output_closed_makes_the_file(tmp_path):
    program = ("import os, sys, numpy as np, rankine\n"
               "X = np.arange(12.0).reshape(6, 2); y = [1, 0, 2, 1, 0, 1]\n"
               "ranker = rankine.RankSVM().fit(X, y, group=[3, 3])\n"
               "os.close(1)\n"
               "ranker.save(sys.argv[1])\n")
    path = tmp_path / "m.rkn"
    finished = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True,
                              check=False)
    assert path.is_file(), finished.stderr
    assert rankine.load_model(path).coef_.shape == (2,)


def test_a_cache_cut_short_while_it_is_in_use_ends_in_a_line(tmp_path):
    program = ("import os, sys, rankine, rankine.datasets\n"
               "data = rankine.datasets.load_letor(sys.argv[1])\n"
               "os.truncate(sys.argv[1], 100)\n"
               "print(data.X.sum())\n")
    text = tmp_path / "d.txt"
    with open(text, "w", encoding="utf-8") as file:
        for row in range(20000):
            file.write(f"{row % 3} qid:{row // 10} 1:{row} 2:{row % 7} 3:1 4:{row % 5}\n")
    path = tmp_path / "d.rkd"
    rankine._core.read_dataset(str(text), {}, False).write(str(path))
    finished = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True,
                              check=False)
    assert finished.returncode == 2
    assert finished.stderr.endswith(f"rankine: {path}: cannot read: another program cut the file short, or its disk "
                                    "failed, while it was in use\n")
