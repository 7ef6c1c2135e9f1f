"""What every command shares: usage, help, config files, JSON, completion, signals, exit codes."""
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest
import tomllib
from conftest import ROOT

DATA = "2 qid:a 1:0.5 2:1\n0 qid:a 1:0.25\n1 qid:b 2:3\n0 qid:b 1:1\n"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.txt"
    path.write_text(DATA)
    return path


# Usage


def test_version_is_one_line(rankine):
    outcome = rankine("--version")
    assert outcome.code == 0
    assert re.fullmatch(r"rankine \d+\.\d+\.\d+\n", outcome.out)


def test_no_command_shows_the_overview_as_an_error(rankine):
    outcome = rankine()
    assert outcome.code == 2
    assert outcome.out == ""
    assert "usage: rankine COMMAND" in outcome.err


@pytest.mark.parametrize("words, message", [
    (["inspcet", "x"], "rankine: 'inspcet' is no command (did you mean inspect?)\nsee rankine --help\n"),
    (["frobnicate"], "rankine: 'frobnicate' is no command\nsee rankine --help\n"),
    (["--json", "inspect"], "rankine: options come after the command, and '--json' stands first\n"
                            "see rankine --help\n"),
    (["inspect"], "rankine inspect: missing argument FILE\nsee rankine inspect --help\n"),
    (["inspect", "a", "b"], "rankine inspect: unexpected argument 'b'\nsee rankine inspect --help\n"),
    (["inspect", "a", "--per-featrue"], "rankine inspect: unknown option --per-featrue "
     "(did you mean --per-feature?)\nsee rankine inspect --help\n"),
    (["inspect", "a", "--per_feature"], "rankine inspect: unknown option --per_feature "
     "(did you mean --per-feature?)\nsee rankine inspect --help\n"),
    (["inspect", "a", "-x"], "rankine inspect: unknown option -x\nsee rankine inspect --help\n"),
    (["inspect", "a", "--wibble=3"], "rankine inspect: unknown option --wibble\n"
                                     "see rankine inspect --help\n"),
    (["inspect", "a", "--threads"], "rankine inspect: --threads needs a value\n"
                                    "see rankine inspect --help\n"),
    (["convert", "a"], "rankine convert: missing argument OUT\nsee rankine convert --help\n"),
    (["completion"], "rankine completion: missing argument SHELL\nsee rankine completion --help\n"),
    (["completion", "powershell"], "rankine completion: SHELL = 'powershell' is none of bash, zsh, fish\n"),
    (["help", "inspekt"], "rankine help: COMMAND = 'inspekt' is none of"),
])
def test_wrong_usage_is_told_in_one_line_with_a_hint(rankine, words, message):
    outcome = rankine(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith(message)


@pytest.mark.parametrize("words, message", [
    (["--threads", "-1"], "--threads = -1 must be in [0, 1024]"),
    (["--threads=-1"], "--threads = -1 must be in [0, 1024]"),
    (["--threads", "two"], "--threads = 'two' is not a whole number"),
    (["--threads", "1.5"], "--threads = '1.5' is not a whole number"),
    (["--threads="], "--threads = '' is not a whole number"),
    (["--relevant", "x"], "--relevant = 'x' is not a number"),
    (["--per-feature=perhaps"], "--per-feature = 'perhaps' is not true or false"),
    (["--storage", "denze"], "--storage = 'denze' is none of auto, dense, sparse (did you mean dense?)"),
    (["--num-features", "-5"], "--num-features = -5 must be in [0, 4294967295]"),
])
def test_a_wrong_value_is_told_with_option_value_and_bound(rankine, data, words, message):
    outcome = rankine("inspect", data, *words)
    assert outcome.code == 2
    assert outcome.err == f"rankine inspect: {message}\n"
    assert outcome.out == ""


def test_numbers_may_be_powers(rankine, data):
    outcome = rankine("inspect", data, "--num-features", "2^3", "--json")
    assert outcome.json["features"] == 8


def test_an_option_with_two_values_is_refused(rankine, data):
    outcome = rankine("inspect", data, "--num-features", "5", "--num-features=7", "--json")
    assert outcome.code == 2
    assert outcome.err.startswith("rankine inspect: --num-features is given twice, as '5' and '7'\n")
    outcome = rankine("evaluate", data, "--model", "a.rkn", "--model", "b.rkn")
    assert outcome.code == 2
    assert "--model is given twice, as 'a.rkn' and 'b.rkn'" in outcome.err


def test_version_says_with_verbose_what_it_computes_with(rankine):
    assert re.fullmatch(r"rankine \d+\.\d+\.\d+\n", rankine("version").out)
    assert re.search(r"\nOpenBLAS [0-9.]+, kernels for \w+\n$", rankine("version", "--verbose").out)
    assert rankine("version", "--verbose", "--json").json["linear_algebra"].startswith("OpenBLAS")


def test_a_core_type_of_the_users_own_holds(rankine):
    outcome = rankine("version", "--verbose", env={"OPENBLAS_CORETYPE": "Nehalem"})
    assert outcome.out.endswith("kernels for Nehalem\n")


def test_one_of_a_thing_is_not_many(rankine, tmp_path):
    (tmp_path / "one.txt").write_text("1 qid:1 1:1\n0 qid:1 1:0\n")
    outcome = rankine("convert", "one.txt", "copy.txt")
    assert outcome.err == "copy.txt: 2 documents of 1 query, 1 feature\n"


def test_json_names_its_version_and_command_and_has_numbers(rankine, data):
    for words in (["train", data, "--model", "m.rkn"], ["inspect", data], ["inspect", "m.rkn"],
                  ["score", data, "--model", "m.rkn"], ["evaluate", data, "--model", "m.rkn"],
                  ["tune", data, "--grid", "C=1,2", "--valid", data]):
        outcome = rankine(*words, "--json", "--quiet")
        assert outcome.code == 0, outcome
        assert list(outcome.json)[:2] == ["version", "command"]
        assert outcome.json["version"] == 1
        assert outcome.json["command"] == words[0]
    assert outcome.json["best"]["C"] in (1, 2)
    scores = rankine("score", data, "--model", "m.rkn")
    assert rankine("score", data, "--model", "m.rkn", "--json").json["scores"] == [
        float(line) for line in scores.out.split()]


def test_a_list_grows_with_every_use(rankine):
    outcome = rankine("inspect", "x", "--ignore", "a", "--ignore", "b,c", "--dump-config")
    assert tomllib.loads(outcome.out)["inspect"]["ignore"] == ["a", "b", "c"]


def test_a_flag_can_be_taken_back(rankine, data):
    outcome = rankine("inspect", data, "--json", "--json=false")
    assert outcome.code == 0
    assert outcome.out.startswith(str(data))


def test_after_two_dashes_everything_is_an_argument(rankine, tmp_path):
    (tmp_path / "--json").write_text(DATA)
    outcome = rankine("inspect", "--", "--json")
    assert outcome.code == 0, outcome


# Help


def test_help_of_every_command_has_usage_options_and_examples(rankine, commands):
    for command in commands:
        outcome = rankine(command, "--help")
        assert outcome.code == 0
        assert outcome.err == ""
        assert outcome.out.startswith(f"usage: rankine {command}")
        assert "\nExamples\n" in outcome.out, command
        assert rankine("help", command).out == outcome.out
        assert rankine(command, "-h").out == outcome.out


def test_help_mentions_every_option_of_every_command(rankine, commands):
    for command in commands:
        config = rankine(command, "--dump-config")
        assert config.code == 0, config
        keys = tomllib.loads(re.sub(r"(?m)^# (\w+ = )", r"\1", config.out))[command]
        text = rankine(command, "--help").out
        for key in keys:
            assert "--" + key.replace("_", "-") in text or key.upper() in text, (command, key)
        for key in ("config", "dump-config", "help"):
            assert f"--{key}" in text


def test_help_asks_for_nothing_else(rankine):
    assert rankine("inspect", "--no-such-option", "--help").code == 0


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_help_keeps_to_the_width_of_the_terminal(rankine, commands, columns):
    for command in commands:
        text = rankine(command, "--help", env={"COLUMNS": str(columns)}).out
        body = text.split("\nExamples\n")[0]
        for line in body.splitlines():
            if len(line.split()) > 2:  # a long list of choices cannot be broken
                assert len(line) <= columns, (command, line)


def test_help_shows_ranges_choices_and_defaults(rankine):
    text = " ".join(rankine("inspect", "--help").out.split())
    assert "--threads N worker threads; 0: one per core (in [0, 1024]; default: 0)" in text
    assert "--storage auto|dense|sparse features in memory; auto: by density (default: auto)" in text


def test_the_options_page_is_up_to_date(rankine):
    page = ROOT / "docs" / "options.md"
    assert page.read_text() == rankine("help", "--markdown").out, (
        "write it again: rankine help --markdown > docs/options.md")


# Config files


def test_a_dumped_config_repeats_the_run(rankine, data, tmp_path):
    words = ["inspect", data, "--per-feature", "--num-features", "7", "--relevant", "0.1", "--json"]
    config = tmp_path / "run.toml"
    config.write_text(rankine(*words, "--dump-config").out)
    assert rankine("inspect", "--config", config).out == rankine(*words).out


def test_a_dumped_config_dumps_itself(rankine, tmp_path):
    words = ["convert", 'a "quoted" \\ name', "b", "--label", "grade\t1", "--ignore", "x,y"]
    first = rankine(*words, "--dump-config").out
    (tmp_path / "run.toml").write_text(first)
    assert rankine("convert", "--config", "run.toml", "--dump-config").out == first
    parsed = tomllib.loads(first)["convert"]
    assert parsed["in"] == 'a "quoted" \\ name'
    assert parsed["label"] == "grade\t1"
    assert parsed["ignore"] == ["x", "y"]
    assert parsed["threads"] == 0


def test_every_dumped_config_is_toml(rankine, commands):
    for command in commands:
        assert command in tomllib.loads(rankine(command, "--dump-config").out)


def test_flags_win_over_the_config_file(rankine, data, tmp_path):
    (tmp_path / "run.toml").write_text("num_features = 9\njson = true\n")
    assert rankine("inspect", data, "--config", "run.toml").json["features"] == 9
    outcome = rankine("inspect", data, "--num-features", "4", "--config", "run.toml")
    assert outcome.json["features"] == 4


def test_config_files_may_use_all_the_toml_options_need(rankine, data, tmp_path):
    (tmp_path / "run.toml").write_text(
        "# a run\r\n"
        "json = true # one object\n"
        "\n"
        "[convert]\nfolds = 3\n"
        "[ inspect ]\n"
        "num_features = \"2^4\"\n"
        "relevant = +1_0e-1\n"
        "'ignore' = [ \"a\", # first\n  'b',\n]\n"
        "label = 'it''s'\n".replace("it''s", "its"))
    outcome = rankine("inspect", data, "--config", "run.toml")
    assert outcome.code == 0, outcome
    assert outcome.json["features"] == 16
    dumped = rankine("inspect", data, "--config", "run.toml", "--dump-config").out
    assert tomllib.loads(dumped)["inspect"]["ignore"] == ["a", "b"]


def test_a_config_can_come_from_standard_input(rankine, data):
    outcome = rankine("inspect", data, "--config", "-", stdin="json = true\n")
    assert outcome.json["documents"] == 4


@pytest.mark.parametrize("text, message", [
    ("num_feature = 3\n", "run.toml:1: 'num_feature' is no option of rankine inspect "
                          "(did you mean num_features?)"),
    ("\n\nnum-features = 3\n", "run.toml:3: 'num-features' is no option of rankine inspect "
                               "(did you mean num_features?)"),
    ("[convert]\nfodls = 3\n", "run.toml:2: 'fodls' is no option of rankine convert "
                               "(did you mean folds?)"),
    ("[inspct]\na = 3\n", "run.toml:2: 'inspct' is no command of rankine"),
    ("config = \"x\"\n", "run.toml:1: 'config' is no option of rankine inspect"),
    ("threads = -1\n", "run.toml:1: threads = -1 must be in [0, 1024]"),
    ("threads = \"many\"\n", "run.toml:1: threads = 'many' is not a whole number"),
    ("storage = dense\n", "run.toml:1: 'storage': could not determine value type; text stands in quotes"),
    ("threads 3\n", "run.toml:1: 'threads': expected '=', saw '3'"),
    ("threads =\n", "run.toml:1: 'threads': expected value, saw '\\n'"),
    ("label = \"x\n", "run.toml:1: 'label': unescaped control characters other than TAB (U+0009) are explicitly prohibited"),
    ("ignore = [\"x\"\n", "run.toml:1: 'ignore': encountered end-of-file"),
    ("ignore = [\"x\",\n", "run.toml:1: 'ignore': encountered end-of-file"),
    ("threads = 1 2\n", "run.toml:1: 'threads': expected a comment or whitespace, saw '2'"),
    ("threads = 1\nthreads = 2\n", "run.toml:2: 'threads': cannot redefine existing integer 'threads'"),
    ("[inspect\n", "run.toml:1: '[inspect': expected ']', saw '\\n'"),
    ("label = \"a\\q\"\n", "run.toml:1: 'label': unknown escape sequence '\\q'"),
    ("= 3\n", "run.toml:1: expected keys, tables, whitespace or comments, saw '='"),
])
def test_a_wrong_config_is_told_with_file_line_and_key(rankine, data, tmp_path, text, message):
    (tmp_path / "run.toml").write_text(text)
    outcome = rankine("inspect", data, "--config", "run.toml")
    assert outcome.code == 2
    assert outcome.err == f"rankine inspect: {message}\n"


def test_a_missing_config_file_is_bad_input(rankine, data):
    outcome = rankine("inspect", data, "--config", "none.toml")
    assert outcome.code == 2
    assert outcome.err == "rankine inspect: none.toml: cannot read: No such file or directory\n"


def test_a_folder_is_no_config_file(rankine, data, tmp_path):
    outcome = rankine("inspect", data, "--config", tmp_path)
    assert outcome.code == 2
    assert outcome.err == f"rankine inspect: {tmp_path}: cannot read: Is a directory\n"


# Output


def test_results_go_to_standard_output_and_talk_to_standard_error(rankine, data):
    outcome = rankine("inspect", data)
    assert outcome.code == 0
    assert "documents" in outcome.out
    assert outcome.err == ""


def test_quiet_says_nothing_and_verbose_more(rankine, data):
    assert rankine("convert", data, "out.rkd").err.count("\n") == 1
    assert rankine("convert", data, "out.rkd", "--quiet").err == ""
    assert len(rankine("convert", data, "out.rkd", "--verbose").err.splitlines()) > 1
    assert rankine("inspect", "none.txt", "--quiet").err != ""


def test_a_full_disk_under_standard_output_fails_the_task(rankine, data):
    with open("/dev/full", "w") as full:
        outcome = rankine("inspect", data, stdout=full)
    assert outcome.code == 1
    assert outcome.err == ("rankine inspect: standard output: cannot write: "
                           "No space left on device\n")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["help", "--markdown"]])
def test_even_help_notices_a_full_disk(rankine, words):
    with open("/dev/full", "w") as full:
        outcome = rankine(*words, stdout=full)
    assert outcome.code == 1
    assert "standard output: cannot write: No space left on device\n" in outcome.err


def test_a_closed_pipe_ends_quietly(binary, data):
    read_end, write_end = os.pipe()
    os.close(read_end)
    finished = subprocess.run([binary, "inspect", str(data)], stdout=write_end,
                              stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert finished.returncode == 128 + signal.SIGPIPE
    assert finished.stderr == ""


def test_a_reader_that_leaves_ends_a_long_output_quietly(binary):
    finished = subprocess.run(
        ["bash", "-c", f"'{binary}' synth - --queries 100000 --quiet | head -1; "
                       "echo ${PIPESTATUS[0]}"],
        capture_output=True, text=True, check=True, timeout=120)
    assert finished.stdout.splitlines()[-1] == str(128 + signal.SIGPIPE)
    assert finished.stderr == ""


def test_a_closed_standard_error_does_not_stop_the_work(binary, data):
    finished = subprocess.run(["bash", "-c", f"'{binary}' inspect '{data}' --json 2>&-"],
                              capture_output=True, text=True, check=False)
    assert finished.returncode == 0
    assert json.loads(finished.stdout)["documents"] == 4


# Progress and interruption


def feed(process, seconds, stop=lambda: False):
    """Writes rows to the process's standard input for a while."""
    end = time.monotonic() + seconds
    query = 0
    while time.monotonic() < end and not stop():
        query += 1
        rows = "".join(f"{row % 2} qid:{query} 1:{row} 2:0.5\n" for row in range(400))
        process.stdin.write(rows.encode())
        process.stdin.flush()
        time.sleep(0.02)


def test_plain_lines_of_progress_where_there_is_no_terminal(binary):
    process = subprocess.Popen([binary, "inspect", "-", "--json"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    feed(process, 1.6)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["documents"] > 0
    lines = err.decode().splitlines()
    assert lines and all(line.startswith("reading standard input: ") for line in lines), err
    assert re.search(r"B, .*B/s", lines[0])
    assert "\r" not in err.decode() and "\x1b" not in err.decode()


def test_quiet_work_shows_no_progress(binary):
    process = subprocess.Popen([binary, "inspect", "-", "--quiet"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    feed(process, 1.3)
    _, err = process.communicate(timeout=60)
    assert err == b""


def test_a_bar_on_a_terminal_is_taken_down_at_the_end(binary):
    master, slave = pty.openpty()
    process = subprocess.Popen([binary, "inspect", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    feed(process, 1.6)
    process.communicate(timeout=60)
    shown = b""
    while select.select([master], [], [], 0.2)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:  # how Linux tells the end of a terminal
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    text = shown.decode()
    assert "\rreading standard input" in text
    assert text.endswith("\r\x1b[K"), text[-80:]


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_exits_so_and_leaves_no_file(binary, tmp_path, number, code):
    (tmp_path / "out.txt").write_text("precious\n")
    process = subprocess.Popen([binary, "convert", "-", "out.txt"], cwd=tmp_path,
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    feed(process, 0.3)
    process.send_signal(number)
    try:
        feed(process, 10, stop=lambda: process.poll() is not None)
    except BrokenPipeError:
        pass
    process.wait(timeout=30)
    err = process.stderr.read().decode()
    assert process.returncode == code, err
    assert err.count("\n") == 1 and "interrupted" in err
    assert (tmp_path / "out.txt").read_text() == "precious\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_an_interruption_reaches_a_run_that_waits_for_input(binary, tmp_path):
    process = subprocess.Popen([binary, "inspect", "-"], cwd=tmp_path, stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    process.stdin.write(DATA.encode())
    process.stdin.flush()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)  # the second one ends it at once
    process.wait(timeout=30)
    assert process.returncode in (130, -signal.SIGINT)


# Completion


def complete(script, words, cwd):
    """What bash offers after these words, the last of them unfinished."""
    line = " ".join(words)
    array = " ".join(f"'{word}'" for word in words)
    program = f"""
source '{script}'
COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; COMP_POINT={len(line)}
$(complete -p rankine | sed 's/.*-F \\([^ ]*\\) .*/\\1/') rankine
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    finished = subprocess.run(["bash", "--norc", "-c", program], cwd=cwd, capture_output=True,
                              text=True, check=True)
    assert "syntax" not in finished.stderr
    return sorted(filter(None, finished.stdout.splitlines()))


@pytest.fixture
def bash_script(rankine, tmp_path):
    script = tmp_path / "completion.bash"
    script.write_text(rankine("completion", "bash").out)
    return script


def test_bash_completes_commands(bash_script, commands, tmp_path):
    offered = complete(bash_script, ["rankine", ""], tmp_path)
    assert offered == sorted([*commands, "--help", "--version"])
    assert complete(bash_script, ["rankine", "ins"], tmp_path) == ["inspect"]


def test_bash_completes_options(bash_script, tmp_path):
    assert complete(bash_script, ["rankine", "inspect", "--per"], tmp_path) == ["--per-feature"]
    offered = complete(bash_script, ["rankine", "convert", "--"], tmp_path)
    assert {"--folds", "--seed", "--storage", "--json", "--help"} <= set(offered)


def test_bash_completes_choices_with_and_without_equals(bash_script, tmp_path):
    choices = ["auto", "dense", "sparse"]
    assert complete(bash_script, ["rankine", "inspect", "x", "--storage", ""], tmp_path) == choices
    assert complete(bash_script, ["rankine", "inspect", "--storage", "=", "s"], tmp_path) == ["sparse"]
    assert complete(bash_script, ["rankine", "inspect", "--storage", "="], tmp_path) == choices
    assert complete(bash_script, ["rankine", "completion", ""], tmp_path) == ["bash", "fish", "zsh"]


def test_bash_completes_files(bash_script, tmp_path):
    (tmp_path / "train.txt").write_text("")
    (tmp_path / "train.rkd").write_text("")
    assert complete(bash_script, ["rankine", "inspect", "tr"], tmp_path) == ["train.rkd", "train.txt"]
    assert complete(bash_script, ["rankine", "inspect", "x", "--preferences", "train.t"],
                    tmp_path) == ["train.txt"]


def test_bash_offers_nothing_for_a_number(bash_script, tmp_path):
    assert complete(bash_script, ["rankine", "inspect", "x", "--threads", ""], tmp_path) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_reads_its_completion_script(rankine, tmp_path, shell):
    script = tmp_path / "script"
    script.write_text(rankine("completion", shell).out)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n", str(script)], check=True, capture_output=True)


def test_completion_scripts_know_every_option(rankine, commands):
    for shell in ("bash", "zsh", "fish"):
        script = rankine("completion", shell).out
        for command in commands:
            for key in re.findall(r"(?m)^# (\w+) = |^(\w+) = ", rankine(command, "--dump-config").out):
                flag = "".join(key).replace("_", "-")
                assert flag in script, (shell, command, flag)
