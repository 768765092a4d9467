"""Models that are split already: what the board makes of their text, beside what DTensor and FSDP2 do.

One process stands for rank 0 of 8 (PyTorch's process group that sends nothing); every collective of a
forward pass is recorded as it is called. Run by `npm run engines trace`.
"""

import math
import sys
import unittest
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "engines")]
warnings.filterwarnings("ignore")

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from check_torch import Recorder
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor._utils import compute_local_shape_and_global_offset
from torch.distributed.tensor.parallel import ColwiseParallel, PrepareModuleInput, RowwiseParallel, SequenceParallel, parallelize_module
from torch.testing._internal.distributed.fake_pg import FakeStore

import shardboard

LAYERS, WIDTH = 3, 32


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (each(x).view(batch, length, -1, 8).transpose(1, 2) for each in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(batch, length, -1))


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention, self.mlp = Attention(), MLP()

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, 64, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Products(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Parameter(torch.randn(16, 64)), nn.Parameter(torch.randn(64, 16))

    def forward(self, x):
        return F.relu(x @ self.up) @ self.down


def words(model, mesh):
    """Columns and rows, as in Megatron-LM."""
    parallelize_module(model, mesh["tp"], {
        "embed": RowwiseParallel(input_layouts=Replicate()), "head": ColwiseParallel(output_layouts=Replicate()),
        **{f"blocks.*.attention.{name}": ColwiseParallel() for name in "qkv"}, "blocks.*.attention.o": RowwiseParallel(),
        "blocks.*.mlp.up": ColwiseParallel(), "blocks.*.mlp.down": RowwiseParallel(),
    })


def sequences(model, mesh):
    """The same with what lies between cut along the sequence."""
    rows, whole = RowwiseParallel(output_layouts=Shard(1)), PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate())
    parallelize_module(model, mesh["tp"], {
        "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)), "norm": SequenceParallel(),
        "head": ColwiseParallel(input_layouts=Shard(1), use_local_output=False),
    })
    for block in model.blocks:
        parallelize_module(block, mesh["tp"], {
            "norm1": SequenceParallel(), "norm2": SequenceParallel(), "attention": whole, "mlp": whole,
            **{f"attention.{name}": ColwiseParallel() for name in "qkv"}, "attention.o": rows, "mlp.up": ColwiseParallel(), "mlp.down": rows,
        })


def shards(model, mesh, *axes, **more):
    for block in model.blocks:
        fully_shard(block, mesh=mesh[axes], **more)
    fully_shard(model, mesh=mesh[axes], **more)


IDS = torch.arange(64).view(4, 16)


def setUpModule():
    dist.init_process_group("fake", rank=0, world_size=8, store=FakeStore())


def tearDownModule():
    dist.destroy_process_group()


def block_of(value):
    """The ranges of what this rank holds of a tensor."""
    if not isinstance(value, DTensor):
        return [[0, size] for size in value.shape]
    shape, offset = compute_local_shape_and_global_offset(value.shape, value.device_mesh, value.placements)
    return [[at, at + size] for at, size in zip(offset, shape)]


def first_block(layout, shape, sizes):
    """The ranges of the first device under a layout of the board, of which all blocks are equal."""
    parts = [[] if dim == "_" else dim.split("*") for dim in layout.split(",")]
    return [[0, size // math.prod(sizes[axis] for axis in axes)] for size, axes in zip(shape, parts)]


class Split(unittest.TestCase):
    def compared(self, model, *args):
        """The text of a model; what the board says of it is what DTensor and FSDP2 do."""
        text = shardboard.trace(model, *args)
        self.assertIn("Run beside the model", text)
        said = shardboard.plan(text, checkout=str(ROOT))
        self.assertTrue(said["ok"], said["diagnostics"])
        self.assertEqual([each for each in said["diagnostics"] if not each["code"].startswith("nnscaler/")], [])
        self._pieces(model, said)
        self._collectives(model, args, said)
        return text

    def _pieces(self, model, said):
        tensors = {each["name"].replace("[", ".").replace("]", ""): each for each in said["tensors"]}
        for path, value in model.named_parameters():
            known = tensors.get(path) or tensors[f"model.{path}"]
            rest = known.get("atRest", known["layout"])
            self.assertEqual(first_block(rest, known["shape"], dict(said["mesh"])), block_of(value), path)

    def _collectives(self, model, args, said):
        with torch.no_grad(), Recorder() as recorder:
            model(*args)
        theirs, ours = {}, {}
        for kind, ranks, received, _ in recorder.events:
            theirs[kind, tuple(ranks)] = theirs.get((kind, tuple(ranks)), 0) + received
        for step in said["steps"]:
            for group in step.get("groups", []):
                if 0 in group:
                    key = (step["collective"], tuple(group))
                    ours[key] = ours.get(key, 0) + step["bytes"]
        self.assertEqual(ours, theirs)

    def test_columns_and_rows(self):
        mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
        model = GPT()
        words(model, mesh)
        text = self.compared(model, IDS)
        self.assertIn('"blocks.*.attention.o": RowwiseParallel(),', text)
        self.assertNotIn("fully_shard", text)

    def test_columns_and_rows_with_fully_shard(self):
        mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
        model = GPT()
        words(model, mesh)
        shards(model, mesh, "dp")
        text = self.compared(model, IDS)
        self.assertIn("B, S = 8, 16", text)
        self.assertIn('for layer in model.blocks:\n    fully_shard(layer, mesh=mesh["dp"])\nfully_shard(model, mesh=mesh["dp"])', text)

    def test_sequences_with_fully_shard(self):
        mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
        model = GPT()
        sequences(model, mesh)
        shards(model, mesh, "dp", reshard_after_forward=False)
        text = self.compared(model, IDS)
        self.assertIn("SequenceParallel()", text)
        self.assertIn("reshard_after_forward=False", text)

    def test_replicas_of_shards_in_a_narrow_type(self):
        mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("copies", "dp"))
        model = GPT()
        shards(model, mesh, "copies", "dp", mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32))
        text = self.compared(model, IDS)
        self.assertIn('mesh["copies", "dp"]', text)
        self.assertIn("B, S = 32, 16", text)

    def test_parameters_that_are_dtensors(self):
        mesh = init_device_mesh("cpu", (8,), mesh_dim_names=("tp",))
        model = Products()
        model.up = nn.Parameter(distribute_tensor(model.up, mesh, [Shard(1)]))
        model.down = nn.Parameter(distribute_tensor(model.down, mesh, [Shard(0)]))
        x = distribute_tensor(torch.randn(8, 16), mesh, [Replicate()])
        text = shardboard.trace(model, x)
        self.assertIn("mesh = Mesh(tp=8)", text)
        self.assertIn('place("up", layout(None, "tp"))', text)
        said = shardboard.plan(text, checkout=str(ROOT))
        self._pieces(model, said)
        with torch.no_grad():
            self.assertEqual([each.is_partial() for each in model(x).placements], [True])
        sums = [each for each in said["steps"] if each["collective"] == "all-reduce"]
        self.assertEqual(len(sums), 1)  # the sum that DTensor's result is still owed

    def test_the_model_is_left_as_it_was(self):
        mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
        model = GPT()
        words(model, mesh)
        shards(model, mesh, "dp")
        before = {name: (id(value), value.placements) for name, value in model.named_parameters()}
        hooks = [len(module._forward_pre_hooks) + len(module._forward_hooks) for module in model.modules()]
        shardboard.trace(model, IDS)
        self.assertEqual({name: (id(value), value.placements) for name, value in model.named_parameters()}, before)
        self.assertEqual([len(module._forward_pre_hooks) + len(module._forward_hooks) for module in model.modules()], hooks)

    def test_what_is_not_known_is_named(self):
        mesh = init_device_mesh("cpu", (8,), mesh_dim_names=("tp",))
        model = GPT()
        distribute_module(model.head, mesh, None, lambda module, inputs, mesh: inputs, None)
        self.assertIn("# Not read: what distribute_module does with head.", shardboard.trace(model, IDS))

    def test_meshes_that_are_no_parts_of_one_are_refused(self):
        first, second = (init_device_mesh("cpu", (8,), mesh_dim_names=("tp",)), init_device_mesh("cpu", (2, 4), mesh_dim_names=("a", "b")))
        model = Products()
        model.up = nn.Parameter(distribute_tensor(model.up, first, [Shard(1)]))
        model.down = nn.Parameter(distribute_tensor(model.down, second, [Shard(0), Shard(0)]))
        with self.assertRaisesRegex(NotImplementedError, "the axis tp of 8 devices is no dim of the mesh a, b"):
            shardboard.trace(model, torch.randn(4, 16))


if __name__ == "__main__":
    unittest.main()
