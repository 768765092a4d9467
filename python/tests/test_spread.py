"""How a split model is written, without a framework: meshes, styles, places, shards."""

import ast
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shardboard.spread import Shared, Spread


def lines(spread, lists=None, paths=()):
    made = spread.lines(lists or {}, {*paths, *spread.places, *(path for styles in spread.styles.values() for path in styles)})
    ast.parse("\n".join(made))
    return made


class Meshes(unittest.TestCase):
    def test_our_own_word_where_only_tensors_are_placed(self):
        spread = Spread([("dp", 2), ("tp", 4)], places={"w": [(), ("tp", "dp")]})
        self.assertEqual(spread.mesh_line(), "mesh = Mesh(dp=2, tp=4)\n")
        self.assertEqual(spread.imports(), "")
        self.assertEqual(lines(spread), ['place("w", layout(None, ("tp", "dp")))'])

    def test_pytorchs_where_its_words_stand(self):
        spread = Spread([("dp", 2)], shared=[Shared(("",), "fully_shard", ("dp",))])
        self.assertEqual(spread.mesh_line(), 'mesh = init_device_mesh("cuda", (2,), mesh_dim_names=("dp",))\n')
        self.assertIn("from torch.distributed.fsdp import fully_shard\n", spread.imports())
        self.assertEqual(lines(spread), ['fully_shard(model, mesh=mesh["dp"])'])

    def test_ranks_that_do_not_count_up_are_listed(self):
        spread = Spread([("a", 2), ("b", 2)], [0, 2, 1, 3], places={"w": [("a",)]})
        self.assertEqual(spread.mesh_line(), "mesh = Mesh(a=2, b=2, devices=[0, 2, 1, 3])\n")
        spread.styles["b"] = {"up": "ColwiseParallel()"}
        self.assertEqual(spread.mesh_line(), 'mesh = DeviceMesh("cuda", [[0, 2], [1, 3]], mesh_dim_names=("a", "b"))\n')


class Lines(unittest.TestCase):
    STYLES = {f"layers.{at}.{name}": "ColwiseParallel()" for at in range(3) for name in ("up", "down")}

    def test_equal_layers_are_one_entry_and_others_stand_alone(self):
        styles = {**self.STYLES, "layers.1.down": "RowwiseParallel()", "head": "ColwiseParallel(output_layouts=Replicate())"}
        spread = Spread([("tp", 2)], styles={"tp": styles})
        made = lines(spread)
        self.assertIn('    "layers.*.up": ColwiseParallel(),', made)
        self.assertIn('    "layers.1.down": RowwiseParallel(),', made)
        self.assertEqual(sum("down" in each for each in made), 3)
        self.assertIn("import ColwiseParallel, RowwiseParallel, parallelize_module\n", spread.imports())
        self.assertIn("from torch.distributed.tensor import Replicate\n", spread.imports())

    def test_a_style_of_a_module_that_is_not_in_the_text_is_said(self):
        spread = Spread([("tp", 2)], styles={"tp": {"drop": "SequenceParallel()", "up": "ColwiseParallel()"}})
        self.assertEqual(spread.lines({}, {"up"}), ['parallelize_module(model, mesh["tp"], {', '    "up": ColwiseParallel(),', "})"])
        self.assertEqual(len(spread.left_out({"up"})), 1)

    def test_a_pattern_never_speaks_of_a_layer_that_has_no_style(self):
        spread = Spread([("tp", 2)], styles={"tp": {f"layers.{at}.up": "ColwiseParallel()" for at in (0, 2)}})
        made = lines(spread, paths=[f"layers.{at}.up" for at in range(3)])
        self.assertEqual(made[1:-1], ['    "layers.0.up": ColwiseParallel(),', '    "layers.2.up": ColwiseParallel(),'])

    def test_a_loop_only_where_all_layers_of_a_list_are_shared_alike(self):
        def shared(count, more=""):
            return Spread([("dp", 2)], shared=[Shared((f"layers.{at}",), "fully_shard", ("dp",), more if at == 0 else "") for at in range(count)])

        self.assertEqual(lines(shared(3), {"layers": 3}), ["for layer in model.layers:", '    fully_shard(layer, mesh=mesh["dp"])'])
        self.assertEqual(lines(shared(2), {"layers": 3}), ['fully_shard(model.layers[0], mesh=mesh["dp"])', 'fully_shard(model.layers[1], mesh=mesh["dp"])'])
        self.assertEqual(len(lines(shared(3, ", reshard_after_forward=False"), {"layers": 3})), 3)

    def test_modules_that_are_shared_together_are_a_list(self):
        spread = Spread([("r", 2), ("s", 2)], shared=[Shared(("norm", "head"), "fully_shard", ("r", "s"))])
        self.assertEqual(lines(spread), ['fully_shard([model.norm, model.head], mesh=mesh["r", "s"])'])

    def test_as_many_rows_as_ranks_share_them(self):
        shared = [Shared(("",), "fully_shard", ("r", "s")), Shared(("head",), "fully_shard", ("s",))]
        self.assertEqual(Spread([("r", 3), ("s", 2), ("tp", 4)], shared=shared).copies(), 6)


if __name__ == "__main__":
    unittest.main()
