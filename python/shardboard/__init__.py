"""Models as program texts that Shardboard reads, and boards of them.

    import shardboard
    text = shardboard.trace(model, tokens)      # PyTorch or JAX; the text is run beside the model
    shardboard.show(text)                       # in a notebook
    shardboard.link(text); shardboard.plan(text); shardboard.optimize(text)
"""

from typing import Any

from .notebook import link, plan, show

__all__ = ["link", "optimize", "plan", "show", "trace"]


def trace(model: Any, *args: Any, **kwargs: Any) -> str:
    """The program text of `model(*args, **kwargs)`: a module of PyTorch, or a function or a module of JAX.

    See `shardboard.tracing.trace` and `shardboard.jax_tracing.trace`. Needs the framework.
    """
    if "torch.nn.modules.module" in (each.__module__ for each in type(model).__mro__):
        from .tracing import trace as traced
    else:
        from .jax_tracing import trace as traced
    return traced(model, *args, **kwargs)


def optimize(text: str, **fields: Any) -> Any:
    """The cheapest plan that the planner finds, as data, through Node."""
    return plan(text, command="optimize", **fields)
