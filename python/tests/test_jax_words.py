"""What a graph that was recorded from JAX becomes, without a framework: words, layers, numbered names."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shardboard.graph import Graph, Module, Node, Ref
from shardboard.jax_layers import grouped, numbered
from shardboard.jax_words import WORDS, as_written
from shardboard.text import Text


def call(name, op, *args, shape=(4, 8), dtype="float32"):
    return Node(name, "call", op, list(args), {}, list(shape), dtype)


def weight(path, *shape):
    return Node(f"w_{path.replace('.', '_')}", "parameter", "", shape=list(shape), dtype="float32", path=path)


def written(*nodes, words=None, modules=None):
    x = Node("x", "input", "", shape=[4, 8], dtype="float32")
    held = {"": Module("", "Net", parameters={node.path: (node.shape, node.dtype) for node in nodes if node.kind == "parameter"})}
    graph = as_written(Graph([x, *nodes], [nodes[-1].name], modules or held), set(WORDS) if words is None else words)
    return [line.strip() for line in Text(graph).written().split("\n")]


def softmax(dim):
    shape = [4, 8]
    shape[dim] = 1
    folded = [size for at, size in enumerate((4, 8)) if at != dim]
    return [call("m", "amax", Ref("x"), [dim], shape=folded), call("mk", "unsqueeze", Ref("m"), dim, shape=shape), call("d", "sub", Ref("x"), Ref("mk")),
            call("e", "exp", Ref("d")), call("s", "sum", Ref("e"), [dim], shape=folded), call("sk", "unsqueeze", Ref("s"), dim, shape=shape), call("y", "div", Ref("e"), Ref("sk"))]


class Words(unittest.TestCase):
    def test_softmax(self):
        self.assertIn("return F.softmax(x, dim=-1)", written(*softmax(1)))
        self.assertFalse(any("softmax" in line for line in written(*softmax(1), words=set(WORDS) - {"softmax"})))

    def test_another_maximum_is_no_softmax(self):
        nodes = softmax(1)
        nodes[0].args[0] = Ref("z")
        self.assertFalse(any("softmax" in line for line in written(call("z", "neg", Ref("x")), *nodes)))

    def test_broadcasts_go_where_the_operator_makes_them(self):
        row = weight("b", 8)
        wide = call("r", "reshape", Ref("w_b"), [1, 8], shape=(1, 8))
        self.assertIn("return x + self.b", written(row, wide, call("e", "expand", Ref("r"), [4, 8]), call("y", "add", Ref("x"), Ref("e"))))
        column = call("c", "unsqueeze", Ref("w_b"), -1, shape=(8, 1))
        self.assertIn("return x @ self.b.unsqueeze(-1)", written(row, column, call("y", "matmul", Ref("x"), Ref("c"), shape=(4, 1))))

    def test_a_mean_over_another_number_stays(self):
        for count, line in ((8, "return x.mean(dim=1)"), (7, "return x.sum(dim=1) / 7")):
            self.assertIn(line, written(call("s", "sum", Ref("x"), [1], shape=(4,)), call("y", "div", Ref("s"), count, shape=(4,))))

    def test_a_product_says_the_order_of_its_dims(self):
        product = call("p", "einsum", "ab,ab->ab", [Ref("x"), Ref("x")])
        self.assertIn('return torch.einsum("ab,ab->ba", x, x)', written(product, call("y", "transpose", Ref("p"), 0, 1, shape=(8, 4))))


def listed(count, *ops):
    """A function over a list of weights, one after the other."""
    modules = {"": Module("", "Net", children=["layers"]), "layers": Module("layers", "ModuleList", is_own=True, children=[str(at) for at in range(count)])}
    nodes, last = [Node("x", "input", "", shape=[4, 8], dtype="float32")], "x"
    for at in range(count):
        modules[f"layers.{at}"] = Module(f"layers.{at}", "Layer", parameters={"w": ([8, 8], "float32")})
        nodes.append(weight(f"layers.{at}.w", 8, 8))
        for op in ops:
            args = [Ref(last)] + ([Ref(f"w_layers_{at}_w")] if op == "matmul" else [])
            nodes.append(call(f"{op}_{at}", op, *args))
            last = f"{op}_{at}"
    return Graph(nodes, [last], modules)


class Layers(unittest.TestCase):
    def test_equal_runs_over_a_list_are_a_loop(self):
        for ops in (("matmul", "tanh"), ("exp", "matmul", "tanh"), ("exp", "neg", "matmul")):
            graph = listed(3, *ops)
            grouped(graph.nodes, graph.modules)
            text = Text(graph).written()
            self.assertIn("for layer in self.layers:\n            x = layer(x)", text)

    def test_runs_that_differ_are_left_as_they_are(self):
        graph = listed(3, "matmul", "tanh")
        graph.nodes[-1].op = "exp"
        grouped(graph.nodes, graph.modules)
        self.assertNotIn("for layer", Text(graph).written())

    def test_numbered_names_are_a_list_where_all_are_alike(self):
        alike = {f"h_{at}.w": ((8,), "f") for at in range(3)}
        self.assertEqual(numbered(alike), {f"h_{at}": f"h.{at}" for at in range(3)})
        self.assertEqual(numbered({**alike, "h_2.w": ((9,), "f")}), {})
        self.assertEqual(numbered({"h_1.w": ((8,), "f"), "h_2.w": ((8,), "f")}), {})
        self.assertEqual(numbered({**alike, "h.w": ((8,), "f")}), {})


if __name__ == "__main__":
    unittest.main()
