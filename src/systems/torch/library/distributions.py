# `torch.distributions`: those whose samples and densities are a few operators.
import math
import torch
import torch.nn.functional as F

class Distribution:
    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if probs is not None:
            logits = torch.log(probs / probs.sum(-1, keepdim=True))
        self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self.batch_shape, self.event_shape = self.logits.shape[:-1], ()
    @property
    def probs(self):
        return F.softmax(self.logits, dim=-1)
    @property
    def mode(self):
        return self.probs.argmax(dim=-1)
    def sample(self, sample_shape=()):
        with torch.no_grad():
            rows = self.probs.reshape(-1, self.logits.shape[-1])
            drawn = torch.multinomial(rows, math.prod(sample_shape), True)
            return drawn.T.reshape(*sample_shape, *self.logits.shape[:-1])
    def log_prob(self, value):
        logits = self.logits.expand(*value.shape, self.logits.shape[-1])
        return logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)
    def entropy(self):
        return -(self.logits * self.probs).sum(-1)

class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = loc, scale
        self.mean, self.stddev = loc, scale
    @property
    def variance(self):
        return self.scale ** 2
    def rsample(self, sample_shape=()):
        shape = torch.broadcast_shapes(*[getattr(each, "shape", ()) for each in (self.loc, self.scale)])
        return self.loc + self.scale * torch.randn(*sample_shape, *shape)
    def log_prob(self, value):
        return -((value - self.loc) ** 2) / (2 * self.scale ** 2) - torch.log(self._scale()) - 0.5 * math.log(2 * math.pi)
    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self._scale())
    def _scale(self):
        return self.scale if hasattr(self.scale, "shape") else torch.tensor(self.scale)

def kl_divergence(p, q):
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale) ** 2
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale) ** 2 - 1 - torch.log(ratio))
    return (p.probs * (p.logits - q.logits)).sum(-1)
