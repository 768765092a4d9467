"""`trace` of JAX: texts that torch runs with JAX's numbers. Run by `npm run engines trace`."""

import os
import sys
import unittest
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
warnings.filterwarnings("ignore")

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import shardboard
from shardboard.jax_tracing import NotAlike, trace

try:
    from flax import linen, nnx
except ImportError:
    linen = nnx = None

KEYS = iter(jax.random.split(jax.random.key(0), 64))
IDS = jnp.arange(26).reshape(2, 13)


def normal(*shape):
    return jax.random.normal(next(KEYS), shape) * 0.3


class Functions(unittest.TestCase):
    def proved(self, fn, *args):
        text = trace(fn, *args)
        self.assertIn("# Run beside the function: numbers within", text)
        return text

    def test_a_scan_over_stacked_weights_is_layers(self):
        def forward(params, ids):
            def layer(x, p):
                return x + jax.nn.relu(x @ p["up"]) @ p["down"], None

            return jax.lax.scan(jax.checkpoint(layer), params["embed"][ids], params["layers"])[0]

        text = self.proved(forward, {"embed": normal(50, 8), "layers": {"up": normal(3, 8, 16), "down": normal(3, 16, 8)}}, IDS)
        self.assertIn("Forward, 1,168 parameters", text)
        self.assertIn("nn.ModuleList([Layers() for _ in range(3)])", text)
        self.assertIn("for layer in self.layers:\n            x = layer(x)", text)
        self.assertIn("B, S = 2, 13", text)

    def test_a_list_of_weights_is_layers_too(self):
        def forward(params, x):
            for p in params["layers"]:
                mean = (x * x).mean(-1, keepdims=True)
                x = x + jnp.tanh((x * jax.lax.rsqrt(mean + 1e-5) * p["norm"]) @ p["w"] + p["b"])
            return x

        text = self.proved(forward, {"layers": [{"w": normal(8, 8), "b": normal(8), "norm": normal(8)} for _ in range(4)]}, normal(4, 8))
        self.assertIn("for layer in self.layers:", text)
        self.assertIn("F.rms_norm(x, (8,), self.norm, 1e-05)", text)

    def test_a_scan_over_data_runs_one_step_after_the_other(self):
        def forward(p, xs):
            def step(h, x):
                h = jnp.tanh(x @ p["wx"] + h @ p["wh"])
                return h, h

            return jax.lax.scan(step, jnp.zeros((2, 8)), xs, reverse=True)

        self.assertEqual(self.proved(forward, {"wx": normal(4, 8), "wh": normal(8, 8)}, normal(5, 2, 4)).count(".tanh()"), 5)

    def test_functions_that_are_compiled_apart_are_classes(self):
        @jax.jit
        def mlp(x, w, v):
            h = jax.nn.silu(x @ w) * (x @ v)
            return (h - h.max(-1, keepdims=True)) / jnp.sqrt(h.var(-1, keepdims=True) + 1e-6)

        text = self.proved(lambda p, x: mlp(mlp(x, p["w"], p["v"]), p["w"], p["v"]), {"w": normal(8, 8), "v": normal(8, 8)}, normal(4, 8))
        self.assertEqual(text.count("class Mlp(nn.Module):"), 1)
        self.assertIn("self.mlp_call2(", text)

    def test_operators_give_the_numbers_of_jax(self):
        x, w, ids = normal(4, 6, 8), {"w": normal(8, 5)}, jnp.arange(24).reshape(4, 6) % 5
        cases = (
            lambda w, x: jnp.where(x > 0, x, -1.0) + jnp.maximum(x, 0.1) - jnp.minimum(x, x[:1]) + jnp.clip(x, -0.5, 0.5),
            lambda w, x: jnp.concatenate([x[:, 1:5:2], jnp.flip(x, 1)], 1).transpose(2, 0, 1).reshape(8, -1) ** 3,
            lambda w, x: (x @ w["w"]).argmax(-1) + jax.nn.softmax(x @ w["w"], axis=1).sum((0, 2), keepdims=True).astype(jnp.int32)[..., 0],
            lambda w, x: jnp.einsum("abc,adc->dba", x, x) / 3 + jnp.arange(6.0)[:, None, None] + jax.lax.iota(jnp.float32, 4),
            lambda w, x: jnp.pad(jnp.cumsum(x, 1), ((0, 0), (1, 2), (0, 0)), constant_values=2.0).max((0, 1)) * jnp.exp(-jnp.abs(x)).mean(0),
            lambda w, x: jax.lax.top_k(x @ w["w"], 2)[0] + jax.nn.gelu(x)[..., :2] + jnp.split(x, 2, -1)[1][..., :2],
            lambda w, x: jax.nn.one_hot(ids, 5) @ w["w"].T + w["w"].T[ids] + jnp.take(w["w"].T, ids, axis=0),
            lambda w, x: jax.nn.log_softmax(x @ w["w"]) + jax.nn.relu(x @ w["w"]) * jax.nn.sigmoid(x @ w["w"]),
        )
        for case in cases:
            self.proved(case, w, x)

    def test_convolutions_of_both_orders_of_dims(self):
        for spec, shape in ((("NHWC", "HWIO", "NHWC"), (2, 9, 9, 3)), (("NCHW", "OIHW", "NCHW"), (2, 3, 9, 9))):
            def conv(p, x, spec=spec):
                return jax.lax.conv_general_dilated(x, p["w"], (2, 2), [(1, 1), (1, 1)], dimension_numbers=spec)

            text = self.proved(conv, {"w": normal(3, 3, 3, 4) if spec[0] == "NHWC" else normal(4, 3, 3, 3)}, normal(*shape))
            self.assertIn("F.conv2d(", text)

    def test_an_operator_without_a_word_is_named_with_count_and_place(self):
        text = trace(lambda p, x: jax.scipy.special.erfinv(jax.scipy.special.erfinv(jnp.tanh(x @ p["w"]))), {"w": normal(8, 8)}, normal(4, 8))
        self.assertIn("# No word for jax.erf_inv: 2 times, first in the model.", text)
        self.assertIn("torch.ops.jax.erf_inv(", text)
        self.assertIn("it has operators without a word", text)

    def test_a_word_that_gives_other_numbers_is_written_out(self):
        import shardboard.jax_words as words

        kept = words.WORDS["softmax"]

        def wrong(node, view):
            kept(node, view)
            if node.op == "softmax":
                node.args[1] = 0

        words.WORDS["softmax"] = wrong
        try:
            text = trace(lambda p, x: jax.nn.softmax(x @ p["w"]), {"w": normal(8, 8)}, normal(4, 8))
        finally:
            words.WORDS["softmax"] = kept
        self.assertIn("Written out:", text)
        self.assertNotIn("softmax(", text)

    def test_a_text_that_differs_in_the_long_form_too_is_refused(self):
        runs = iter(range(9))
        with self.assertRaises(NotAlike):
            trace(lambda p, x: x @ p["w"] + next(runs), {"w": normal(8, 8)}, normal(4, 8))


class Shardings(unittest.TestCase):
    def test_what_arguments_and_constraints_say_is_what_xla_does(self):
        mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))

        def put(value, *spec):
            return jax.device_put(value, NamedSharding(mesh, P(*spec)))

        def forward(params, x):
            def layer(x, p):
                x = x + jax.nn.relu(x @ p["up"]) @ p["down"]
                return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("dp", None))), None

            return jax.lax.scan(layer, x, params["layers"])[0]

        params = {"layers": {"up": put(normal(3, 8, 32), None, None, "tp"), "down": put(normal(3, 32, 8), None, "tp", None)}}
        x = put(normal(16, 8), "dp", None)
        text = trace(forward, params, x)
        for line in ("mesh = Mesh(dp=2, tp=4)", 'place("layers[*].up", layout(None, "tp"))', 'place("x", layout("dp", None))', 'layout("dp", None))'):
            self.assertIn(line, text)
        hlo = jax.jit(forward).lower(params, x).compile().as_text()
        said = shardboard.plan(text, command="xla", checkout=str(ROOT), hloText=hlo)
        self.assertTrue(said["ok"], said["diagnostics"])
        self.assertEqual([(each["collective"], each["xla"], each["xlaBytes"]) for each in said["kinds"]], [("all-reduce", 3, 3 * 8 * 8 * 4 * 3 // 2)])
        for each in said["kinds"]:
            self.assertEqual((each["ours"], each["ourBytes"]), (each["xla"], each["xlaBytes"]))

    def test_shardings_that_a_compiled_function_asks_for(self):
        mesh = Mesh(np.array(jax.devices()), ("tp",))
        asked = ({"w": NamedSharding(mesh, P(None, "tp"))}, NamedSharding(mesh, P()))
        text = trace(jax.jit(lambda p, x: jnp.tanh(x @ p["w"]), in_shardings=asked), {"w": normal(8, 16)}, normal(4, 8))
        self.assertIn('place("w", layout(None, "tp"))', text)

    def test_stacked_weights_that_are_cut_over_their_layers_are_refused(self):
        mesh = Mesh(np.array(jax.devices()), ("pp",))
        weights = jax.device_put(normal(8, 4, 4), NamedSharding(mesh, P("pp")))
        with self.assertRaisesRegex(NotImplementedError, "cut over its layers"):
            trace(lambda p, x: jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, p["w"])[0], {"w": weights}, normal(4, 4))


@unittest.skipIf(linen is None, "Flax is not installed")
class Flax(unittest.TestCase):
    def test_linen_names_and_layers(self):
        class Block(linen.Module):
            @linen.compact
            def __call__(self, x):
                seen = linen.make_causal_mask(jnp.ones(x.shape[:2]))
                x = x + linen.MultiHeadDotProductAttention(num_heads=2, name="attn")(linen.LayerNorm()(x), mask=seen)
                return x + linen.Dense(8, name="down")(linen.gelu(linen.Dense(32, name="up")(linen.RMSNorm()(x))))

        class GPT(linen.Module):
            @linen.compact
            def __call__(self, ids):
                x = linen.Embed(50, 8, name="wte")(ids)
                for at in range(3):
                    x = Block(name=f"h_{at}")(x)
                return linen.Dense(50, use_bias=False, name="head")(x)

        model = GPT()
        variables = model.init(next(KEYS), IDS)
        text = trace(model, variables, IDS)
        self.assertIn("# Run beside the function", text)
        self.assertIn("# h_0 stands as h[0] here.", text)
        for line in ("class Block(nn.Module):", "self.h = nn.ModuleList([Block() for _ in range(3)])", "F.layer_norm(x, (8,), self.scale, self.bias, 1e-06)",
                     "F.rms_norm(x, (8,), self.scale, 1e-06)", "F.scaled_dot_product_attention(q, k, v, is_causal=True)", 'approximate="tanh")', "ids = Tensor((B, S)"):
            self.assertIn(line, text)
        self.assertEqual(trace(lambda variables, ids: model.apply(variables, ids), variables, IDS).split("class", 1)[1].replace("Lambda", "GPT"), text.split("class", 1)[1])

    def test_nnx_names_and_layers(self):
        class Block(nnx.Module):
            def __init__(self, rngs):
                self.norm, self.up, self.down = nnx.RMSNorm(8, rngs=rngs), nnx.Linear(8, 16, use_bias=False, rngs=rngs), nnx.Linear(16, 8, rngs=rngs)
                self.drop = nnx.Dropout(0.1, deterministic=True, rngs=rngs)

            def __call__(self, x):
                return x + self.drop(self.down(nnx.silu(self.up(self.norm(x)))))

        class Net(nnx.Module):
            def __init__(self, rngs):
                self.embed = nnx.Embed(50, 8, rngs=rngs)
                self.layers = nnx.List([Block(rngs) for _ in range(3)])

            def __call__(self, ids):
                x = self.embed(ids)
                for layer in self.layers:
                    x = layer(x)
                return self.embed.attend(x)

        model = Net(nnx.Rngs(0))
        before = type(model).__call__
        for text in (trace(model, IDS), trace(lambda ids: model(ids), IDS), trace(lambda net, ids: net(ids), model, IDS)):
            self.assertIn("# Run beside the function", text)
            self.assertIn("1,216 parameters", text)
            self.assertIn("self.layers = nn.ModuleList([Block() for _ in range(3)])", text)
            self.assertIn("return x + self.down(F.silu(self.up(self.norm(x))))", text)
            self.assertIn("self.emb", text)
        self.assertIs(type(model).__call__, before)

    def test_weights_without_values_are_traced_too(self):
        model = linen.Dense(32)
        x = jax.ShapeDtypeStruct((4, 8), jnp.float32)
        text = trace(model, jax.eval_shape(model.init, jax.random.key(0), x), x)
        self.assertIn("it has no values", text)
        self.assertIn("torch.empty(8, 32)", text)


if __name__ == "__main__":
    unittest.main()
