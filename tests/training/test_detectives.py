"""Detectives are trained in scenes, and explore for other commands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")
pytest.importorskip("sb3_contrib", reason="the extra rl is not installed")

from mars_logic.training import curve  # noqa: E402
from tests.cli.conftest import run  # noqa: E402, F401  # a fixture
from tests.training.test_run import settings, trained  # noqa: E402
from tests.training.test_train_command import SMALL  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.fixture
def corpus(run, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    assert (
        run("conan", "scenes", "conan", "--scenes", "4", "--seed", "12", "-o", "corpus").status == 0
    )
    assert run("conan", "questions", "corpus").status == 0
    return tmp_path


@pytest.mark.parametrize(
    ("algorithm", "observation", "reward"),
    [
        ("trpo", "symbolic", "question"),
        ("simple_ppo", "symbolic", "answers"),
        pytest.param("recurrent_ppo", "symbolic", "traces", marks=pytest.mark.long),
        pytest.param("dqn", "symbolic", "answers", marks=pytest.mark.long),
        pytest.param("ppo", "image", "question", marks=pytest.mark.long),
    ],
)
def test_an_interrupted_run_goes_on_to_the_same_curve(corpus, algorithm, observation, reward):
    known, laws = settings(algorithm, observation, "crafter")
    made = replace(known, reward=reward, world="corpus"), laws
    whole = trained(corpus / "whole", made)
    trained(corpus / "parts", made, until=300)
    resumed = trained(corpus / "parts", made)
    assert len(whole.points) >= 5
    assert resumed.points == whole.points
    assert curve.read(corpus / "parts" / "curve.csv") == whole.points
    assert all(0 < point.score <= 100 for point in whole.points)


@pytest.mark.usefixtures("corpus")
def test_a_trained_explorer_walks_for_a_detective(run):  # noqa: F811
    made = run("train", "corpus", "--agent", "trpo", *SMALL.split(), "-o", "p", "--json")
    assert made.status == 0, made.err
    assert made.json["settings"]["reward"] == "question"
    told = ("corpus", "--explorer", "policy:p", "--steps", "40", "--start", "centre")
    found = run("conan", "detect", *told, "-o", "d", "--json")
    assert found.status == 0, found.err
    assert found.json["rows"][0]["name"] == "afd, policy:p, centre"
    assert 0 < found.json["rows"][0]["traces"] <= 1
    again = run("conan", "detect", *told, "-o", "again", "--json")
    assert again.json["rows"] == found.json["rows"]
    refused = run("run", "policy:p", "default", "--episodes", "1")
    assert refused.status == 2
    assert "question: it explores scenes; allowed: `mars-logic conan detect`" in refused.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", "corpus", "--reward", "crafter"), "--reward: crafter: corpus is no world"),
        (("train", "default", "--reward", "question"), "it is for detectives"),
        (("train", "corpus/nothing"), "allowed:"),
        (("conan", "detect", "corpus", "--explorer", "policy:corpus"), "there is no model"),
        (("conan", "detect", "corpus", "--explorer", "policy:w"), "it plays in worlds"),
        (("conan", "detect", "corpus", "--explorer", "nearst"), "there is no explorer 'nearst'"),
    ],
)
def test_what_does_not_go_together_is_refused(run, corpus, words, told):  # noqa: F811
    if "policy:w" in words:
        assert run("train", "default", *SMALL.split(), "-o", "w").status == 0
    refused = run(*words, "-o", "new")
    assert refused.status == 2
    assert told in refused.err
    assert not (corpus / "new" / "detections.parquet").exists()


def test_the_gradient_of_an_embedding_has_one_of_its_own():
    from mars_logic.training.networks import EmbeddingSum

    layer = EmbeddingSum(9, 3, 2).double()
    codes = torch.tensor([[1, 4, 0], [4, 8, 4]])
    table = layer.table.detach().float().requires_grad_()
    layer.table = torch.nn.Parameter(table)
    layer.bias.data = layer.bias.data.float()
    first = torch.autograd.grad(layer(codes).pow(2).sum(), layer.table, create_graph=True)[0]
    second = torch.autograd.grad((first * first.detach()).sum(), layer.table)[0]
    picked = torch.zeros(2, 9)
    for row, codes_of_row in enumerate(codes.tolist()):
        for code in codes_of_row:
            picked[row, code] += code > 0
    expected = 2 * picked.T @ (picked @ first.detach())
    np.testing.assert_allclose(second.numpy(), expected.numpy(), rtol=1e-5)
