"""What models of `transformers` need before they are recorded: experts as a dispatch and a combine, images in front."""

from __future__ import annotations

from contextlib import contextmanager
from types import MethodType
from collections.abc import Iterator
from typing import Any

import torch

_GROUPS = {"count": 1}


def _operators() -> Any:
    """The two operators that a text writes as moe_dispatch and moe_combine; they are only exported."""
    if not hasattr(torch.ops.shardboard, "dispatch"):

        @torch.library.custom_op("shardboard::dispatch", mutates_args=())
        def dispatch(x: torch.Tensor, gates: torch.Tensor, capacity: int) -> torch.Tensor:
            return x.new_zeros(gates.shape[-1], x.shape[0], capacity, x.shape[-1])

        @dispatch.register_fake
        def _(x: torch.Tensor, gates: torch.Tensor, capacity: int) -> torch.Tensor:
            return x.new_empty(gates.shape[-1], x.shape[0], capacity, x.shape[-1])

        @torch.library.custom_op("shardboard::combine", mutates_args=())
        def combine(made: torch.Tensor, gates: torch.Tensor) -> torch.Tensor:
            return made.new_zeros(*gates.shape[:2], made.shape[-1])

        @combine.register_fake
        def _(made: torch.Tensor, gates: torch.Tensor) -> torch.Tensor:
            return made.new_empty(*gates.shape[:2], made.shape[-1])

    return torch.ops.shardboard


def _experts(self: Any, x: torch.Tensor, index: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Each expert takes an even share of every sequence; numbers are those of the model where it has room for all."""
    own, count, groups = _operators(), self.down_proj.shape[0], _GROUPS["count"]
    tokens = x.reshape(groups, -1, x.shape[-1])
    chosen = torch.nn.functional.one_hot(index, count) * weights.unsqueeze(-1)
    gates = chosen.sum(dim=-2).view(groups, -1, count)
    sent = own.dispatch(tokens, gates, max(1, tokens.shape[1] * index.shape[-1] // count))
    product = "egcd,edh->egch" if self.is_transposed else "egcd,ehd->egch"
    up = torch.einsum(product, sent, self.gate_up_proj if self.has_gate else self.up_proj)
    if self.has_bias:
        up = up + (self.gate_up_proj_bias if self.has_gate else self.up_proj_bias)[:, None, None]
    inner = self._apply_gate(up) if self.has_gate else self.act_fn(up)
    down = torch.einsum(product.replace("d", "x").replace("h", "d").replace("x", "h"), inner, self.down_proj)
    if self.has_bias:
        down = down + self.down_proj_bias[:, None, None]
    return own.combine(down, gates).view(x.shape)


def _weighted_experts(self: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Experts of Llama 4, which take their tokens times the router's score, one expert a token."""
    if self.top_k != 1:
        raise NotImplementedError("experts that weigh what they take are written for one expert a token")
    own, groups = _operators(), _GROUPS["count"]
    flat = x.reshape(-1, self.hidden_dim)
    scores, logits = self.router(flat)
    tokens = (flat * scores.sum(dim=-1, keepdim=True)).view(groups, -1, self.hidden_dim)
    gates = (scores > 0).to(flat.dtype).view(groups, -1, self.num_experts)
    sent = own.dispatch(tokens, gates, max(1, tokens.shape[1] // self.num_experts))
    gate, up = torch.einsum("egcd,edh->egch", sent, self.experts.gate_up_proj).chunk(2, dim=-1)
    down = torch.einsum("egch,ehd->egcd", up * self.experts.act_fn(gate), self.experts.down_proj)
    return self.shared_expert(flat) + own.combine(down, gates).view(flat.shape), logits


@contextmanager
def experts_as_words(model: torch.nn.Module, groups: int) -> Iterator[None]:
    """While it lasts, experts of transformers' models are recorded as dispatch, products and combine.

    `groups` is the batch: tokens lie in so many groups, of each of which an expert takes its share.
    """
    configs = [config for module in model.modules() if (config := getattr(module, "config", None)) is not None]
    try:
        from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS
    except ImportError:
        yield
        return
    ALL_EXPERTS_FUNCTIONS.register("shardboard", _experts)
    weighted = [module for module in model.modules() if type(module).__name__ == "Llama4TextMoe"]
    for module in weighted:
        module.forward = MethodType(_weighted_experts, module)
    before = [getattr(config, "_experts_implementation", None) for config in configs]
    _GROUPS["count"] = groups
    for config in configs:
        config._experts_implementation = "shardboard"
    try:
        yield
    finally:
        for config, word in zip(configs, before):
            config._experts_implementation = word
        for module in weighted:
            del module.forward


@contextmanager
def images_in_front(model: torch.nn.Module) -> Iterator[None]:
    """While it lasts, a row of tokens is given without those that stand for images, which come in front of it."""
    placed = [module for module in model.modules() if hasattr(module, "get_placeholder_mask")]
    before = torch.Tensor.masked_scatter
    if placed:
        torch.Tensor.masked_scatter = lambda rows, _, images: torch.cat((images, rows), dim=1)
    for module in placed:
        module.get_placeholder_mask = lambda *args, **kwargs: None
    try:
        yield
    finally:
        torch.Tensor.masked_scatter = before
        for module in placed:
            del module.get_placeholder_mask


def buffers_again(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Buffers of the meta device with their values, by path: those of modules that follow from a configuration.

    A rotary embedding of transformers is one: without weights, made from its configuration alone.
    """
    found: dict[str, torch.Tensor] = {}
    for path, module in model.named_modules():
        lost = [name for name, buffer in module._buffers.items() if buffer is not None and buffer.device.type == "meta"]
        config = getattr(module, "config", None)
        if not lost or config is None or next(module.parameters(), None) is not None:
            continue
        try:
            with torch.device("cpu"):
                again = type(module)(config)
        except Exception:  # a class that wants more than its configuration
            continue
        for name in lost:
            value = again._buffers.get(name)
            if value is not None and value.shape == module._buffers[name].shape:
                found[f"{path}.{name}" if path else name] = value
    return found
