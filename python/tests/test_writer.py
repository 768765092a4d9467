"""A recorded graph as text, without a framework. `gemma.graph` was recorded by `record`."""

import ast
import json
import re
import sys
import unittest
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shardboard.graph import Dtype, Graph, Module, Node, Ref, Size, from_json, to_json
from shardboard.layout import reflowed
from shardboard.patterns import WORDS
from shardboard.sizes import Explainer, Unexplained
from shardboard.text import Text

RECORDED = Path(__file__).with_name("gemma.graph")


def recorded():
    return from_json(json.loads(RECORDED.read_text()))


class Written(unittest.TestCase):
    """What stands in the text of a small Gemma 3: three layers, of which the second sees everything."""

    @classmethod
    def setUpClass(cls):
        cls.text = Text(recorded()).written()
        cls.tree = ast.parse(cls.text)
        cls.classes = {each.name: each for each in cls.tree.body if isinstance(each, ast.ClassDef)}

    def test_is_python_of_a_class_per_class_of_the_model(self):
        wanted = {"Gemma3Attention", "Gemma3MLP", "Gemma3RMSNorm", "Gemma3DecoderLayer", "Gemma3TextModel", "Gemma3ForCausalLM", "Gemma3TextScaledWordEmbedding"}
        self.assertEqual(set(self.classes), wanted)

    def test_layers_are_one_expression_and_one_loop(self):
        self.assertEqual(self.text.count("nn.ModuleList("), 1)
        self.assertIn("for i in range(3)])", self.text)
        self.assertIn("for layer in self.layers:\n            x = layer(x)", self.text)

    def test_what_differs_among_layers_is_an_argument_that_depends_on_the_place(self):
        self.assertIn("window=5 if i % 2 == 0 else None", self.text)
        self.assertIn("base=10000.0 if i % 2 == 0 else 1000000.0", self.text)

    def test_norms_of_two_sizes_are_one_class_with_an_argument(self):
        self.assertIn("Gemma3RMSNorm(8)", self.text)
        self.assertIn("Gemma3RMSNorm(24)", self.text)

    def test_words_stand_for_what_the_model_writes_out(self):
        for word in ("rotary(", "F.rms_norm(", "F.gelu(", "attention("):
            self.assertIn(word, self.text)
        self.assertNotIn(".cos()", self.text)

    def test_a_tied_weight_is_one_weight(self):
        self.assertIn("self.lm_head.weight = self.model.embed_tokens.weight", self.text)

    def test_the_model_is_bound_to_one_name(self):
        bound = [each.targets[0].id for each in self.tree.body if isinstance(each, ast.Assign)]
        self.assertEqual(bound, ["mesh", "input_ids", "model", "logits"])

    def test_every_weight_of_the_model_is_made_at_its_path(self):
        for module in recorded().modules.values():
            for name in module.parameters:
                last = module.path.split(".")[-1] if module.is_own else name
                self.assertIn(f"self.{last} = ", self.text)

    def test_without_a_word_it_is_written_out(self):
        for word, gone, there in (("rotary", "rotary(", ".cos()"), ("rms_norm", "F.rms_norm(", "rsqrt()"), ("gelu", "", "class Gemma3MLP")):
            text = Text(recorded(), set(WORDS) - {word}).written()
            ast.parse(text)
            self.assertIn(there, text)
            if gone:
                self.assertNotIn(gone, text)

    def test_a_graph_is_the_same_after_json(self):
        once = to_json(recorded())
        self.assertEqual(to_json(from_json(json.loads(json.dumps(once)))), once)


def small(*nodes, outputs, modules=None):
    x = Node("x", "input", "", shape=[4, 8], dtype="float32")
    return Graph([x, *nodes], outputs, modules or {"": Module("", "Net")}, {})


def call(name, op, *args, shape=(4, 8), path="", cls=""):
    return Node(name, "call", op, list(args), {}, list(shape) if shape is not None else None, "float32", [(path, cls)] if path else [])


class Operators(unittest.TestCase):
    def lines(self, graph):
        return [line.strip() for line in Text(graph).written().split("\n")]

    def test_brackets_stand_where_python_needs_them(self):
        graph = small(call("a", "add", Ref("x"), 2), call("b", "mul", Ref("a"), Ref("x")), call("c", "sub", 1, Ref("b")), outputs=["c"])
        self.assertIn("return 1 - (x + 2) * x", self.lines(graph))

    def test_an_operator_without_a_word_keeps_its_name_and_is_counted(self):
        graph = small(call("a", "made::up", Ref("x"), 3), call("b", "odd", Ref("a")), outputs=["b"])
        text = Text(graph)
        self.assertIn("return torch.ops.aten.odd(torch.ops.made.up(x, 3))", text.written())
        self.assertEqual(text.unknown, {"made::up": ["the model"], "odd": ["the model"]})

    def test_what_changes_nothing_is_left_out(self):
        graph = small(call("a", "contiguous", Ref("x")), call("b", "mul", Ref("a"), 1), call("c", "relu", Ref("b")), call("d", "exp", Ref("x")), outputs=["c"])
        self.assertIn("return F.relu(x)", self.lines(graph))
        self.assertFalse(any("exp" in line for line in self.lines(graph)))

    def test_a_size_that_is_not_fixed_is_a_name(self):
        graph = small(call("a", "view", Ref("x"), [Size("B"), -1], shape=[Size("B"), 8]), outputs=["a"])
        self.assertIn("return x.view(B, -1)", self.lines(graph))

    def test_several_results_have_names(self):
        split = call("s", "split", Ref("x"), 4, 1, shape=None)
        first, second = (call(f"p{at}", "getitem", Ref("s"), at, shape=(4, 4)) for at in (0, 1))
        graph = small(split, first, second, call("y", "sub", Ref("p1"), Ref("p0"), shape=(4, 4)), outputs=["y"])
        self.assertIn("first, second = x.split(4, dim=1)", self.lines(graph))
        self.assertIn("return second - first", self.lines(graph))

    def test_parts_that_are_copied_into_an_empty_tensor_are_joined(self):
        def graph(middle):
            empty = call("e", "new_empty", Ref("x"), [4, 16], shape=(4, 16))
            first = call("f", "slice_scatter", Ref("e"), Ref("x"), 1, 0, 8, shape=(4, 16))
            last = call("l", "slice_scatter", Ref("f"), Ref("x"), 1, middle, 2**63 - 1, shape=(4, 16))
            return small(empty, first, last, outputs=["l"])

        self.assertIn("return torch.cat((x, x), dim=1)", self.lines(graph(8)))
        self.assertNotIn("torch.cat", Text(graph(9)).written())

    def test_a_dim_that_is_taken_out_and_put_in_again_changes_nothing(self):
        def graph(back):
            return small(call("a", "unsqueeze", Ref("x"), 1, shape=(4, 1, 8)), call("b", "squeeze", Ref("a"), 1),
                         call("c", "unsqueeze", Ref("b"), back, shape=(4, 1, 8) if back == 1 else (1, 4, 8)), outputs=["c"])

        self.assertFalse(any("squeeze(1).unsqueeze" in line for line in self.lines(graph(1))))
        self.assertTrue(any("squeeze(1).unsqueeze(0)" in line for line in self.lines(graph(0))))

    def test_a_convolution_with_all_that_a_layer_holds_is_that_layer(self):
        def graph(padding):
            settings = {"in_channels": 8, "out_channels": 8, "kernel_size": 3, "padding": 2, "groups": 8, "bias": True}
            modules = {"": Module("", "Net", children=["conv"]),
                       "conv": Module("conv", "Conv1d", is_own=True, settings=settings, parameters={"weight": ([8, 1, 3], "float32"), "bias": ([8], "float32")})}
            held = [Node(name, "parameter", "", shape=shape, dtype="float32", path=f"conv.{name}") for name, shape in (("weight", [8, 1, 3]), ("bias", [8]))]
            made = call("y", "conv1d", Ref("x"), Ref("weight"), Ref("bias"), [1], [padding], [1], 8, shape=(8, 4))
            return small(*held, made, outputs=["y"], modules=modules)

        self.assertIn("return self.conv(x)", self.lines(graph(2)))
        self.assertTrue(any("F.conv1d(x, self.conv.weight" in line for line in self.lines(graph(1))))

    def test_no_value_is_called_as_a_size_is(self):
        graph = small(call("a", "exp", Ref("x")), call("b", "mul", Ref("a"), Ref("a")), outputs=["b"])
        self.assertIn("exp = x.exp()", [line.strip() for line in Text(graph).written().split("\n")])
        self.assertIn("exp2 = x.exp()", [line.strip() for line in Text(graph, sizes=["exp"]).written().split("\n")])

    def test_the_choice_of_known_places_in_a_row_is_a_slice(self):
        def line(*places):
            chosen = Node("c", "constant", "", shape=[len(places)], dtype="int64")
            graph = small(chosen, call("y", "index", Ref("x"), [None, Ref("c")], shape=(4, len(places))), outputs=["y"])
            graph.values["c"] = array("q", places)
            return next(each for each in self.lines(graph) if each.startswith("return"))

        self.assertEqual([line(-1), line(-2), line(2, 3)], ["return x[..., -1:]", "return x[..., -2:-1]", "return x[..., 2:4]"])
        self.assertIn("constant_1", line(1, 3) + line(-1, 0))

    def test_classes_whose_inputs_other_layers_make_are_alike(self):
        def scaled(path, source):
            weight = Node(f"w_{path}", "parameter", "", shape=[8], dtype="float32", path=f"{path}.w")
            wide = call(f"t_{path}", "to", Ref(source), Dtype("float64"), path=path, cls="Scaled")
            wide.dtype = "float64"
            high = call(f"e_{path}", "exp", Ref(wide.name), path=path, cls="Scaled")
            both = call(f"m_{path}", "mul", Ref(high.name), Ref(wide.name), path=path, cls="Scaled")
            return [weight, wide, high, both, call(f"y_{path}", "mul", Ref(both.name), Ref(weight.name), path=path, cls="Scaled")]

        modules = {"": Module("", "Net", children=["first", "a", "b"]), "first": Module("first", "Linear", is_own=True, settings={"in_features": 8, "out_features": 8, "bias": False}, parameters={"weight": ([8, 8], "float32")}),
                   **{path: Module(path, "Scaled", parameters={"w": ([8], "float32")}) for path in ("a", "b")}}
        held = Node("v", "parameter", "", shape=[8, 8], dtype="float32", path="first.weight")
        graph = small(held, call("l", "linear", Ref("x"), Ref("v"), path="first", cls="Linear"), *scaled("a", "l"), *scaled("b", "y_a"), outputs=["y_b"], modules=modules)
        self.assertEqual(Text(graph).written().count("class Scaled"), 1)

    def test_a_cast_to_a_narrower_type_in_front_of_a_norm_stays(self):
        def graph(kind):
            named = {"x": "float32", "n": kind, "w": "float32"}
            made = [call("n", "to", Ref("x"), Dtype(kind)), call("w", "to", Ref("n"), Dtype("float32")), call("s", "pow", Ref("w"), 2),
                    call("m", "mean", Ref("s"), [-1], True, shape=(4, 1)), call("t", "add", Ref("m"), 1e-5, shape=(4, 1)),
                    call("r", "rsqrt", Ref("t"), shape=(4, 1)), call("y", "mul", Ref("w"), Ref("r"))]
            for node in made:
                node.dtype = named.get(node.name, "float32")
            return small(*made, outputs=["y"])

        self.assertIn("return F.rms_norm(x.to(torch.bfloat16), (8,), eps=1e-05)", self.lines(graph("bfloat16")))
        self.assertIn("return F.rms_norm(x, (8,), eps=1e-05)", self.lines(graph("float32")))

    def test_a_module_that_is_called_over_and_over_is_called_in_a_loop(self):
        nodes = [Node("x", "input", "", shape=[4, 8], dtype="float32"), Node("w", "parameter", "", shape=[8], dtype="float32", path="block.w")]
        for at, name in enumerate(("a", "b", "c")):
            before = nodes[-1].name if at else "x"
            nodes.append(call(name, "mul", Ref(before), Ref("w"), shape=[4, 8], path="block", cls="Block"))
            nodes[-1].calls = ["block" if at == 0 else f"block@{at}"]
        modules = {"": Module("", "Net", children=["block"]), "block": Module("block", "Block", parameters={"w": ([8], "float32")})}
        text = Text(Graph(nodes, ["c"], modules, {})).written()
        self.assertEqual(text.count("self.block("), 1)
        self.assertRegex(text, r"for _ in range\(3\):\n +x = self\.block\(x\)")

    def test_scores_that_a_causal_mask_hides_have_a_word(self):
        for op, fact in (("where", {"mask": "causal", "window": 3}), ("masked_fill", {"hides": {"mask": "causal", "window": 3}})):
            mask = Node("m", "constant", "", shape=[4, 8], dtype="bool", fact=fact)
            low = Node("l", "constant", "", shape=[], dtype="float32", fact={"value": -3e38})
            args = [Ref("m"), Ref("x"), Ref("l")] if op == "where" else [Ref("x"), Ref("m"), -3e38]
            text = Text(small(mask, low, call("y", op, *args, shape=[4, 8]), outputs=["y"])).written()
            self.assertIn("masked(x, window=3)", text)

    def test_a_truth_everywhere_beside_another_changes_nothing(self):
        sure = Node("t", "constant", "", shape=[4, 1], dtype="bool", fact={"mask": "none"})
        some = call("s", "gt", Ref("x"), 0.5, shape=[4, 8])
        both = call("y", "__and__", Ref("t"), Ref("s"), shape=[4, 8])
        some.dtype = both.dtype = "bool"
        self.assertIn("return x > 0.5", self.lines(small(sure, some, both, outputs=["y"])))

    def test_a_module_that_is_called_in_two_ways_is_refused(self):
        modules = {"": Module("", "Net", children=["a"]), "a": Module("a", "A", parameters={"w": ([8], "float32")})}
        weight = Node("w", "parameter", "", shape=[8], dtype="float32", path="a.w")
        one = call("one", "add", Ref("x"), Ref("w"), path="a", cls="A")
        other = call("other", "mul", Ref("mid"), Ref("w"), path="a", cls="A")
        graph = small(weight, one, call("mid", "relu", Ref("one")), other, outputs=["other"], modules=modules)
        with self.assertRaisesRegex(NotImplementedError, "called in two ways"):
            Text(graph)


def towers():
    """Two lists of layers of one class, whose inner layers are of two."""
    modules = {"": Module("", "Net", children=["a", "b"])}
    nodes, x = [], "x"
    for tower, op in (("a", "add"), ("b", "mul")):
        modules[tower] = Module(tower, "Tower", children=["layers"])
        modules[f"{tower}.layers"] = Module(f"{tower}.layers", "ModuleList", is_own=True, children=["0", "1"])
        for at in ("0", "1"):
            path = f"{tower}.layers.{at}"
            modules[path] = Module(path, "Layer", children=["inner"])
            modules[f"{path}.inner"] = Module(f"{path}.inner", "Inner", parameters={"w": ([8], "float32")})
            weight, name = f"w_{tower}{at}", f"y_{tower}{at}"
            nodes.append(Node(weight, "parameter", "", shape=[8], dtype="float32", path=f"{path}.inner.w"))
            made = call(name, op, Ref(x), Ref(weight))
            made.stack = [(tower, "Tower"), (path, "Layer"), (f"{path}.inner", "Inner")]
            nodes.append(made)
            x = name
    return small(*nodes, outputs=[x], modules=modules)


class Towers(unittest.TestCase):
    def test_every_layer_makes_its_own_modules(self):
        """A module that is given as an argument would be one for all layers."""
        text = Text(towers()).written()
        for word in ("Inner", "Inner2", "Layer", "Layer2", "Tower", "Tower2"):
            self.assertEqual(text.count(f"class {word}(nn.Module):"), 1)
        self.assertIn("nn.ModuleList([Layer() for _ in range(2)])", text)
        self.assertIn("nn.ModuleList([Layer2() for _ in range(2)])", text)


class Sizes(unittest.TestCase):
    ENVS = [{"B": 3, "hidden": 48, "heads": 6, "kv": 3, "inner": 94, "eps": 1e-4, "tied": False, "layers": 4, "first": 1},
            {"B": 5, "hidden": 80, "heads": 8, "kv": 2, "inner": 58, "eps": 2e-4, "tied": True, "layers": 5, "first": 2},
            {"B": 2, "hidden": 90, "heads": 15, "kv": 5, "inner": 122, "eps": 3e-4, "tied": False, "layers": 6, "first": 3}]

    EXPLAINER = Explainer(ENVS)

    def explained(self, rule, hint=""):
        return self.EXPLAINER.explain([rule(env) for env in self.ENVS], hint)

    def test_the_expression_gives_the_values(self):
        rules = (lambda e: e["hidden"], lambda e: e["hidden"] // e["heads"], lambda e: 2 * e["inner"], lambda e: e["kv"] * (e["hidden"] // e["heads"]),
                 lambda e: (e["hidden"] // e["heads"]) ** -0.5, lambda e: e["eps"], lambda e: 2 * e["eps"], lambda e: e["tied"], lambda e: not e["tied"], lambda e: e["hidden"] + 2 * e["kv"] * (e["hidden"] // e["heads"]))
        for rule in rules:
            text = self.explained(rule)
            for env in self.ENVS:
                self.assertAlmostEqual(eval(text, {}, dict(env)), rule(env))

    def test_what_does_not_change_is_a_number(self):
        self.assertEqual(self.explained(lambda env: 64), "64")

    def test_a_wide_projection_is_a_sum_of_three_products(self):
        self.assertEqual(self.explained(lambda env: 2 * env["hidden"] * env["layers"] + 2 * env["heads"] * env["kv"] + env["inner"]),
                         "2 * hidden * layers + 2 * heads * kv + inner")

    def test_one_less_than_a_size(self):
        self.assertEqual(self.explained(lambda env: env["inner"] - 1), "inner - 1")

    def test_the_batch_is_no_summand(self):
        self.assertEqual(self.explained(lambda env: env["B"] * env["hidden"]), "B * hidden")
        searched = [each.text for each in self.EXPLAINER.ints.values()]
        self.assertGreater(len(searched), 100)
        self.assertEqual([text for text in searched if re.search(r"(^|[+-] |\()B( [+-]|\)|$)", text) and text != "B"], [])

    def test_chunks_of_a_sequence_are_counted_by_its_length(self):
        envs = [{"B": 3, "S": 17, "chunk_size": 8, "expand": 2, "groups": 2}, {"B": 5, "S": 19, "chunk_size": 7, "expand": 3, "groups": 5},
                {"B": 2, "S": 23, "chunk_size": 5, "expand": 6, "groups": 3}]
        self.assertEqual(Explainer(envs).explain([3, 3, 5]), "-(-S // chunk_size)")

    def test_what_has_no_expression_is_refused(self):
        values = iter([101, 17, 5003])
        with self.assertRaises(Unexplained):
            self.explained(lambda env: next(values))

    def test_two_sizes_that_are_alike_everywhere_are_refused(self):
        with self.assertRaisesRegex(ValueError, "a and b are both"):
            Explainer([{"a": 3, "b": 3}, {"a": 4, "b": 4}])

    def test_a_rule_of_the_place_is_found(self):
        from shardboard.holes import ByIndex

        values = [ByIndex(tuple(env["inner"] if i < env["first"] else None for i in range(env["layers"]))) for env in self.ENVS]
        self.assertEqual(self.EXPLAINER.explain(values), "inner if i < first else None")


class Layout(unittest.TestCase):
    def test_a_long_line_is_broken_and_means_the_same(self):
        call_ = "y = f(" + ", ".join(f"argument_{at}(x, 'a, b')" for at in range(8)) + ")"
        broken = reflowed(call_)
        self.assertTrue(all(len(line) <= 112 for line in broken.split("\n")))
        self.assertEqual(ast.dump(ast.parse(broken)), ast.dump(ast.parse(call_)))

    def test_text_in_quotes_is_not_broken(self):
        line = 'x = torch.einsum("egcd, ehd->egch", ' + "a" * 50 + ", " + "b" * 50 + ")"
        self.assertEqual(ast.dump(ast.parse(reflowed(line))), ast.dump(ast.parse(line)))


if __name__ == "__main__":
    unittest.main()
