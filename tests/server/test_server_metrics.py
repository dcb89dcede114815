"""What a server measures, and what Prometheus and Grafana make of it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from served import COMPUTER, ME, Browser, served

from mulligan.server.metrics import TICK, Metrics, offered
from mulligan.server.web.config import Config
from mulligan.server.web.run import ServeError, listen, serve

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def value(metrics, name, **labels):
    return metrics.registry.get_sample_value(name, labels)


def names_of(metrics):
    """Every name that Prometheus stores."""
    with offered(metrics, "127.0.0.1", 0) as port:
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return set(re.findall(r"^(\w+)[{ ]", text, re.M))


def test_a_game_is_counted(tmp_path, client_folder):
    metrics = Metrics()
    with served(tmp_path, client_folder, metrics=metrics) as config:
        ann = Browser(config)
        codes = ann.open(ME, COMPUTER)
        with ann.at(codes["table"]) as table, ann.at(codes["watch"], watching=True) as spectator:
            assert value(metrics, "mulligan_sockets", kind="player") == 1
            assert value(metrics, "mulligan_sockets", kind="spectator") == 1
            assert value(metrics, "mulligan_tables") == 1
            table.do("Start")
            table.do("NextHole")
            table.wait_for(lambda view: view["turn"] == 0)
            before = value(metrics, "mulligan_moves_total")
            table.do("Play", seat=0, move=table.view["legal"][0])
            assert value(metrics, "mulligan_moves_total") > before
            refused = table.do("Play", seat=1, move="S")["error"]
            spectator.do("Start")
        ann.http.get("/api/games/WATCHWXZ-1")
        ann.http.get("/api/facts", headers={"host": "evil.example"})
        assert value(metrics, "mulligan_acknowledgement_seconds_count") >= 4
        assert value(metrics, "mulligan_commit_seconds_count") >= 3
        assert value(metrics, "mulligan_loop_lag_seconds_count") > 0
        for reason in (refused, "watching", "game_gone", "wrong_host"):
            assert value(metrics, "mulligan_refused_total", reason=reason) == 1, reason
        assert value(metrics, "mulligan_coach_waiting") == 0
    assert value(metrics, "mulligan_sockets", kind="player") == 0


def test_two_servers_in_one_process_count_for_themselves():
    one, other = Metrics(), Metrics()
    one.refuse("too_fast")
    assert value(one, "mulligan_refused_total", reason="too_fast") == 1
    assert value(other, "mulligan_refused_total", reason="too_fast") is None


def test_the_public_port_has_no_metrics(ann):
    answer = ann.http.get("/metrics")
    assert answer.status_code == 404
    assert "mulligan_moves" not in answer.text


def test_the_loop_is_late_by_what_a_tick_takes_longer():
    metrics = Metrics()
    for now in (5.0, 5.0 + TICK, 5.3 + 2 * TICK):
        metrics.tick(now)
    assert value(metrics, "mulligan_loop_lag_seconds_sum") == pytest.approx(0.3)
    assert value(metrics, "mulligan_loop_lag_seconds_bucket", le="0.25") == 1


@pytest.mark.parametrize("place", ["metrics", "70000", "localhost", "-1"])
def test_a_place_that_is_none_is_one_sentence(tmp_path, place):
    with pytest.raises(ServeError, match=f"“{place}” is not a port; --metrics takes one such as 9464"):
        serve(Config("127.0.0.1", 0, tmp_path), metrics_at=place)


def test_a_port_that_is_taken_is_one_sentence(tmp_path):
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(ServeError, match=rf"^The metrics cannot be offered at 127.0.0.1, port {port} \(.*\)\.$"):
        serve(Config("127.0.0.1", 0, tmp_path), metrics_at=str(port))
    taken.close()


# What is in deploy/


def used_in(text):
    return set(re.findall(r"\b(?:mulligan|process)_\w+", text))


def dashboard():
    """The queries of the dashboard."""
    panels = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def test_the_dashboard_and_the_alerts_use_only_metrics_there_are():
    known = names_of(Metrics())
    shown = used_in(" ".join(dashboard()))
    alerting = used_in((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))
    assert len(shown) > 8
    assert (shown | alerting) - known == set()


def test_the_page_names_every_metric():
    page = (ROOT / "docs" / "server-reference.md").read_text(encoding="utf-8")
    exported = {one.name + "_total" * (one.type == "counter") for one in Metrics().registry.collect()}
    named = set(re.findall(r"^\| `(mulligan_\w+)`", page, re.M))
    assert named == {name for name in exported if not name.startswith("process_")}


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
@pytest.mark.parametrize("words", [("config", "prometheus.yml"), ("rules", "alerts.yml")], ids=lambda words: words[0])
def test_prometheus_accepts_the_files(words):
    kind, file = words
    assert promtool("check", kind, DEPLOY / file) == ""


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_prometheus_accepts_the_queries_of_the_dashboard(tmp_path):
    queries = [query.replace("$__rate_interval", "5m") for query in dashboard()]
    rules = [{"record": f"query{number}", "expr": query} for number, query in enumerate(queries)]
    (tmp_path / "queries.json").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert promtool("check", "rules", tmp_path / "queries.json") == ""  # JSON is YAML, too


def promtool(*words):
    """What promtool complains about, or ""."""
    done = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""
