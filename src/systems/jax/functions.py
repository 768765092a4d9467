def element(x, *at):
    """The elements of x at some indices; 0 where they lie outside of it."""
    at = jnp.broadcast_arrays(*(jnp.asarray(i, jnp.int32) for i in at))
    inside = jnp.all(jnp.stack([(i >= 0) & (i < n) for i, n in zip(at, x.shape)]), axis=0)
    return jnp.where(inside, x[tuple(jnp.clip(i, 0, n - 1) for i, n in zip(at, x.shape))], 0)


def low(name):
    return 1 if name.endswith("_v") else -4  # a mean of squares is positive


def in_doubles():
    """This file with floats of 64 bits, in which what a deep net rounds is gone, and what is wrong is not."""
    jax.config.update("jax_enable_x64", True)
    text = re.sub(r"\b(bfloat16|float16|float32)\b", "float64", open(__file__).read())
    module = types.ModuleType("in_doubles")
    exec(compile(text, __file__, "exec"), module.__dict__)
    return module
