# What the programs of torchtitan take from it: the degrees of parallelism with their meshes, and the settings
# of a job, with the values that they have where nobody gives others.
import torch
from torch._operators import unknown
from torch.distributed import _say_not_read
from torch.distributed.device_mesh import init_device_mesh

TORCH_DTYPE_MAP = {"float16": torch.float16, "float32": torch.float32, "bfloat16": torch.bfloat16}
device_type = "cuda"

class ParallelDims:
    def __init__(self, dp_replicate=1, dp_shard=-1, cp=1, tp=1, pp=1, ep=1, etp=1, world_size=None, enable_loss_parallel=True, **others):
        self.dp_replicate, self.dp_shard, self.cp, self.tp, self.pp = dp_replicate, dp_shard, cp, tp, pp
        self.ep, self.etp, self.enable_loss_parallel = ep, etp, enable_loss_parallel
        if not isinstance(world_size, int):
            self.dp_shard = 2 if dp_shard == -1 else dp_shard
            world_size = dp_replicate * self.dp_shard * cp * tp * pp
            _say_not_read("the number of ranks", f"read as {world_size}, which the degrees of ParallelDims make")
        self.world_size = world_size
        if self.dp_shard == -1:
            self.dp_shard = world_size // (dp_replicate * cp * tp * pp)
        made = dp_replicate * self.dp_shard * cp * tp * pp
        assert made == world_size, f"Invalid parallel dims: {made} ranks where the world has {world_size}"
        self._world_mesh = None

    def _degrees(self):
        before, inside = self.dp_shard, 1
        if self.ep > 1:
            borrowed = self.cp if self.etp == self.tp else self.cp * self.tp
            inside = max(1, self.ep // borrowed)
            before = self.dp_shard // inside
        shard = [("dp_shard", before)] if self.ep == 1 else [("dp_shard_mod_ep", before), ("dp_shard_in_ep", inside)]
        return [("pp", self.pp), ("dp_replicate", self.dp_replicate), *shard, ("cp", self.cp), ("tp", self.tp)]

    def build_mesh(self, *args, **options):
        if self._world_mesh is not None:
            return self._world_mesh
        if self.pp > 1:
            _say_not_read("the pipeline of ParallelDims", "every rank of it has all layers on the board")
        dims = [(name, degree) for name, degree in self._degrees() if degree > 1]
        if len(dims) == 0:
            dims = [("dp_shard", 1)]
        names = tuple(name for name, _ in dims)
        mesh = init_device_mesh(device_type, tuple(degree for _, degree in dims), mesh_dim_names=names)
        shard = ["dp_shard", "dp_shard_mod_ep", "dp_shard_in_ep"]
        ep = ["dp_shard_in_ep", "cp"] if self.etp == self.tp else ["dp_shard_in_ep", "cp", "tp"]
        groups = [
            (["dp_replicate", *shard], ["dp", "batch"]),
            ([*shard, "cp"], ["dp_shard_cp", "fsdp"]),
            (["dp_replicate", *shard, "cp"], ["dp_cp", "loss"]),
            (ep if self.ep > 1 else [], ["ep"]),
            (["dp_shard_mod_ep"], ["efsdp"]),
        ]
        for members, flat in groups:
            own = tuple(name for name in members if name in names)
            for name in flat:
                if len(own) > 0 and name not in names:
                    mesh[own]._flatten(mesh_dim_name=name)
        self._known = set(names).union(*[set(flat) for members, flat in groups if any(name in names for name in members)])
        self._world_mesh = mesh
        return mesh

    @property
    def world_mesh(self):
        return self.build_mesh()

    def __getitem__(self, name):
        return self.build_mesh()[name]

    def get_optional_mesh(self, dims, **options):
        mesh = self.build_mesh()
        names = [dims] if isinstance(dims, str) else list(dims)
        if any(name not in self._known for name in names):
            return None
        return mesh[names[0]] if isinstance(dims, str) else mesh[tuple(names)]

    def get_mesh(self, dims, **options):
        mesh = self.get_optional_mesh(dims)
        if mesh is None:
            raise ValueError(f"Mesh '{dims}' is not available: its degree is 1")
        return mesh

    def get_all_one_dimensional_meshes(self):
        return {name: self.build_mesh()[name] for name in self._known}

    @property
    def dp_enabled(self): return self.dp_replicate > 1 or self.dp_shard > 1
    @property
    def dp_replicate_enabled(self): return self.dp_replicate > 1
    @property
    def dp_shard_enabled(self): return self.dp_shard > 1
    @property
    def cp_enabled(self): return self.cp > 1
    @property
    def dp_cp_enabled(self): return self.dp_enabled or self.cp_enabled
    @property
    def fsdp_enabled(self): return self.dp_shard_enabled or self.cp_enabled
    @property
    def tp_enabled(self): return self.tp > 1
    @property
    def pp_enabled(self): return self.pp > 1
    @property
    def ep_enabled(self): return self.ep > 1
    @property
    def etp_enabled(self): return self.etp > 1
    @property
    def loss_parallel_enabled(self): return self.tp > 1 and self.enable_loss_parallel
    @property
    def fsdp_gradient_divide_factor(self): return self.dp_replicate * self.dp_shard * self.cp
    @property
    def non_data_parallel_size(self): return self.cp * self.tp * self.pp
    @property
    def seq_len_divisor(self): return self.tp * self.cp * 2

class _Settings:
    def __init__(self, **given):
        for name, value in {**self.usual, **given}.items():
            setattr(self, name, value)
    def __getattr__(self, name):
        return unknown(f"job_config.{name}")

class Job(_Settings):
    usual = dict(config_file=None, dump_folder="./outputs", description="", print_config=False)
class Model(_Settings):
    usual = dict(name="llama3", flavor="debugmodel", converters=[], print_after_conversion=False, norm_type="rmsnorm")
class Training(_Settings):
    usual = dict(
        batch_size=8, local_batch_size=8, global_batch_size=-1, seq_len=2048, steps=10000, max_norm=1.0, dtype="float32",
        mixed_precision_param="bfloat16", mixed_precision_reduce="float32", enable_cpu_offload=False, compile=False,
        data_parallel_replicate_degree=1, data_parallel_shard_degree=-1, tensor_parallel_degree=1,
    )
class Parallelism(_Settings):
    usual = dict(
        data_parallel_replicate_degree=1, data_parallel_shard_degree=-1, fsdp_reshard_after_forward="default",
        tensor_parallel_degree=1, disable_loss_parallel=False, enable_async_tensor_parallel=False,
        pipeline_parallel_degree=1, context_parallel_degree=1, context_parallel_rotate_method="allgather",
        expert_parallel_degree=1, expert_tensor_parallel_degree=1, enable_compiled_autograd=False,
    )
class ActivationCheckpoint(_Settings):
    usual = dict(mode="selective", selective_ac_option="2", per_op_sac_force_recompute_mm_shapes_by_fqns=[], early_stop=False)
class Compile(_Settings):
    usual = dict(enable=False, components=["model", "loss"], backend="inductor", fullgraph=True)
class Float8(_Settings):
    usual = dict(enable_float8_linear=False, recipe_name=None, enable_fsdp_float8_all_gather=False, filter_fqns=[], force_recompute_fp8_weight_in_bwd=False)
class Experimental(_Settings):
    usual = dict(context_parallel_degree=1, pipeline_parallel_degree=1, enable_async_tensor_parallel=False, enable_compiled_autograd=False)

class _Linear:
    def __init__(self): self.float8 = Float8()
class Quantize:
    def __init__(self): self.linear, self.grouped_mm = _Linear(), _Linear()

class JobConfig:
    def __init__(self, **given):
        self.job, self.model, self.training, self.parallelism = Job(), Model(), Training(), Parallelism()
        self.activation_checkpoint, self.compile, self.float8, self.quantize = ActivationCheckpoint(), Compile(), Float8(), Quantize()
        self.experimental = Experimental()
        for name, value in given.items():
            setattr(self, name, value)

# What a text calls so without making it.
job_config = JobConfig()

class _Logger:
    def info(self, *args, **options): pass
    def warning(self, *args, **options): pass
    def debug(self, *args, **options): pass
    def error(self, *args, **options): pass

logger = _Logger()

def init_logger(): pass
def warn_once(*args, **options): pass
def maybe_enable_async_tp(*args, **options): pass

def apply_ac(model, ac_config, **options):
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
    mode, option = ac_config.mode, str(getattr(ac_config, "selective_ac_option", "2"))
    if mode == "selective" and not option.isdigit():
        _say_not_read("selective activation checkpointing by operators", "no operator is computed again")
        return
    every = int(option) if mode == "selective" else 1
    for at, block in enumerate(model.layers.children()):
        if mode != "none" and (at + 1) % every == 0:
            checkpoint_wrapper(block)

def apply_compile(model, *args, **options): pass

def apply_cp_to_attention_module(modules, cp_mesh, *args, **options):
    _say_not_read("context parallelism of attention modules", "what runs along a sequence is cut where inputs are")
