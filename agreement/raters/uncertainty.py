"""How unsure a model of true labels is about each unit."""

from collections.abc import Hashable

import numpy as np

from .dawid_skene import DawidSkene


def posterior_uncertainty(model: DawidSkene) -> dict[Hashable, float]:
    """Unit -> normalised entropy of the posterior probabilities of its labels, from 0 to 1.

    H = - sum p ln p / ln V over the V labels of the model; 0 where one label is certain, 1 where
    all are equally probable. Unlike a share of votes it weighs answers by how often each rater
    errs on each label.

    model: of `dawid_skene`, whose missing answers are left out. Empty where the model is undefined.
    No interval: it orders units, and is no statistic of a study.

    Source: Dawid and Skene (1979), "Maximum Likelihood Estimation of Observer Error-Rates Using the
    EM Algorithm", equation 2.5, for the probabilities; Shannon (1948), "A Mathematical Theory of
    Communication", section 6, for the entropy.
    """
    if len(model.labels) < 2 or not len(model.units):
        return {}
    p = model.posterior
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    entropy = -(p * logs).sum(axis=1) / np.log(len(model.labels))
    return dict(zip(model.units, np.clip(entropy, 0.0, 1.0).tolist(), strict=True))
