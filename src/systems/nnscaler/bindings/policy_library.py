# Parts of nnScaler that policies use, in Python: `ComputeConfig` with its checks, the policies that
# are known by name, the schedules of a pipeline, which change nothing of how operators are cut, and
# `more_itertools`. Facts from nnscaler/parallel.py, nnscaler/policies.py and
# nnscaler/graph/schedule/predefined.py of release 0.8.
import math
import random

class ComputeConfig:
    def __init__(self, plan_ngpus, runtime_ngpus=None, constant_folding=False,
                 trace_strategy="cuda_run_cpu_offload", use_zero=False, zero_ngroups=1,
                 zero_use_reduce_scatter=False, inference_only=False, use_end2end=False,
                 use_async_reducer=False, reducer_bucket_cap_mb=None, pas_config=None, user_config=None):
        self.plan_ngpus = plan_ngpus
        self.runtime_ngpus = plan_ngpus if runtime_ngpus is None else runtime_ngpus
        self.constant_folding = constant_folding
        self.trace_strategy = trace_strategy
        self.use_zero = use_zero
        self.zero_ngroups = zero_ngroups if use_zero else 1
        self.zero_use_reduce_scatter = zero_use_reduce_scatter
        self.inference_only = inference_only
        self.use_end2end = use_end2end
        self.use_async_reducer = use_async_reducer
        self.reducer_bucket_cap_mb = reducer_bucket_cap_mb
        self.pas_config = {} if pas_config is None else pas_config
        self.user_config = {} if user_config is None else user_config
        if self.plan_ngpus <= 0:
            raise ValueError(f"plan_ngpus {self.plan_ngpus} must be > 0")
        if self.runtime_ngpus <= 0:
            raise ValueError(f"runtime_ngpus {self.runtime_ngpus} must be > 0")
        if self.runtime_ngpus % self.plan_ngpus != 0:
            raise ValueError(f"runtime_ngpus {self.runtime_ngpus} must be a multiple of plan_ngpus {self.plan_ngpus}")
        if self.use_zero and self.zero_ngroups <= 0:
            raise ValueError(f"zero_ngroups {self.zero_ngroups} must be > 0")
        if self.reducer_bucket_cap_mb and self.reducer_bucket_cap_mb < 0:
            raise ValueError(f"reducer_bucket_cap_mb {self.reducer_bucket_cap_mb} should not be negative.")
        if self.use_zero and self.zero_use_reduce_scatter and self.zero_ngroups != 1:
            raise ValueError("zero_use_reduce_scatter is only supported when zero_ngroups is 1.")

    @property
    def gpu_config(self):
        return {"plan_ngpus": self.plan_ngpus, "runtime_ngpus": self.runtime_ngpus}

    @property
    def module_dedup_group_size(self):
        return self.plan_ngpus

    @property
    def optimizer_dedup_group_size(self):
        return self.runtime_ngpus // self.zero_ngroups if self.use_zero else self.plan_ngpus

    @property
    def max_bucket_size_bytes(self):
        cap = self.reducer_bucket_cap_mb
        return int(cap * 1024 * 1024) if cap else None

    def apply_pipeline_scheduler(self, graph, pipeline_nstages, pipeline_nmicros, pipeline_scheduler):
        forward = ("infer_pipe",)
        known = ("1f1b", "1f1b_plus", "1f1b_interleaved", "gpipe", "chimera_direct") + forward
        if not self.use_end2end:
            raise ValueError("pipeline is only supported in end2end mode")
        if pipeline_nmicros <= 0:
            raise ValueError(f"pipeline_nmicros {pipeline_nmicros} must be > 0.")
        if pipeline_nstages <= 0:
            raise ValueError(f"pipeline_nstages {pipeline_nstages} must be > 0.")
        if pipeline_scheduler not in known:
            raise ValueError(f"pipeline_scheduler {pipeline_scheduler} is not supported.")
        if self.inference_only and pipeline_scheduler not in forward:
            raise ValueError(f"pipeline_scheduler {pipeline_scheduler} is not supported in inference mode.")
        if not self.inference_only and pipeline_scheduler in forward:
            raise ValueError(f"pipeline_scheduler {pipeline_scheduler} is not supported in training mode.")

class _Assumed(dict):
    def __init__(self, ngpus, count):
        self.ngpus, self.count = ngpus, count

    def __missing__(self, key):
        if key in ("pipeline_nstages", "pp_size"):
            return self.ngpus
        if "micro" in key:
            return self.count
        raise KeyError(key)

def _assumed_config(ngpus, is_end2end):
    return ComputeConfig(ngpus, ngpus, use_end2end=is_end2end, pas_config=_Assumed(ngpus, 4))

# The values of `nnscaler/flags.py` where no environment variable is set.
class CompileFlag:
    worker_sleep = max_reducer_bucket = 0
    disable_intra_rvd = disable_inter_rvd = disable_comm_fusion = visualize_plan = False
    use_nnfusion = use_jit = disable_code_line_info = disable_reduce_scatter_adapter = False
    dev_mode = async_comm = line_timer = use_zero = async_reducer = False
    zero_use_reduce_scatter = use_amp = False
    trace_strategy = "cuda_run_cpu_offload"
    reducer_op = "sum"
    zero_ngroups = 1

class PredefinedSched:
    @staticmethod
    def sched_1f1b(graph, num_microbatches, num_stages):
        return None
    sched_1f1b_plus = sched_1f1b
    sched_1f1b_interleaved = sched_1f1b
    sched_gpipe = sched_1f1b
    sched_chimera_direct = sched_1f1b
    sched_infer_pipe = sched_1f1b

def _tp(graph, node, devs, idx, dim):
    pieces = [node]
    if len(devs) > 1:
        pieces = graph.partition(node, node.algorithm("dim"), idx=idx, dim=dim, num=len(devs))
    for device, piece in zip(devs, pieces):
        graph.assign(piece, device)
    return pieces

def _replica(graph, node, devs):
    copies = graph.replicate(node, times=len(devs))
    for device, copy in zip(devs, copies):
        graph.assign(copy, device)
    return copies

def tensor_parallelism(graph, node, idx, dim, devs, autoplace=False):
    return _tp(graph, node, devs, idx, dim)

def replica(graph, node, devs):
    return _replica(graph, node, devs)

def create_mesh(ngpus, group_num):
    """Groups of devices along each dim of a grid: those that differ in this dim alone."""
    groups = []
    for dim, size in enumerate(group_num):
        inner = math.prod(group_num[dim + 1:])
        starts = [at for at in range(ngpus) if at // inner % size == 0]
        groups.append(tuple(tuple(start + step * inner for step in range(size)) for start in starts))
    return tuple(groups)

def is_tensor_in_output(tensor, graph):
    return any(output.parent == tensor for output in graph.outputs())

def auto_multiref(graph):
    for tensor in graph.full_tensors():
        if tensor.is_grad():
            continue
        if len(graph.consumers(tensor)) + int(is_tensor_in_output(tensor, graph)) > 1:
            graph.multiref(tensor)

def _whole(graph, nodes, devs):
    for node in nodes:
        _replica(graph, node, devs)

def _batch_or_whole(graph, node, devs):
    try:
        _tp(graph, node, devs, idx=0, dim=0)
    except Exception:
        _replica(graph, node, devs)

def pas_dp(graph, cfg):
    if cfg.plan_ngpus != 1:
        raise ValueError("Data parallelism only supports 1 plan GPU")
    _whole(graph, graph.nodes(), [0])
    return graph

def pas_data(graph, cfg):
    auto_multiref(graph)
    for node in graph.nodes():
        _batch_or_whole(graph, node, list(range(cfg.plan_ngpus)))
    return graph

def pas_tp(graph, cfg):
    state = random.getstate()
    random.seed(cfg.pas_config.get("seed", 1))
    devs = list(range(cfg.plan_ngpus))
    auto_multiref(graph)
    for node in graph.nodes():
        if node.name == "multiref":
            continue
        def size(cut):
            return node.input(cut[0]).shape[cut[1]]
        cuts = sorted(_space(node), key=size, reverse=True)
        random.shuffle(cuts)
        even = [cut for cut in cuts if size(cut) % len(devs) == 0]
        fit = [cut for cut in even if node.algorithm("dim").satisfy(*cut, len(devs))]
        if fit:
            _tp(graph, node, devs, *fit[0])
        else:
            _replica(graph, node, devs)
    random.setstate(state)
    return graph

def _space(node):
    return [] if node.name == "dataloader" else node.transform_space()

def pas_hybrid(graph, cfg):
    if not cfg.use_end2end:
        raise ValueError("Hybrid policy only supports end2end module")
    count = cfg.pas_config.get("pipeline_nstages", "auto")
    count = cfg.plan_ngpus if count == "auto" else count
    size = cfg.pas_config.get("pp_size", count)
    if count % size != 0:
        raise ValueError(f"invalid pp_size {size} for nstages {count}")
    if cfg.plan_ngpus % size != 0:
        raise ValueError(f"invalid pp_size {size} for ngpus {cfg.plan_ngpus}")
    width = cfg.plan_ngpus // size
    auto_multiref(graph)
    data, nodes = _split_data(graph)
    graph.staging([stage[0] for stage in map(list, divide(count, nodes))])
    stages = [each for each in graph.nodes() if each.name == "segment"]
    for at, stage in enumerate(stages):
        first = at % size * width
        for node in stage.nodes():
            _batch_or_whole(graph, node, list(range(first, first + width)))
    _whole(graph, data, list(range(cfg.plan_ngpus)))
    scheduler = cfg.pas_config.get("pipeline_scheduler", "1f1b")
    cfg.apply_pipeline_scheduler(graph, count, cfg.pas_config["pipeline_nmicros"], scheduler)
    return graph

def _split_data(graph):
    nodes = graph.nodes()
    return ([each for each in nodes if each.name == "dataloader"],
            [each for each in nodes if each.name != "dataloader"])

def pas_pp(graph, cfg):
    count = cfg.pas_config.get("pipeline_nstages", "auto")
    if count != "auto" and count != cfg.plan_ngpus:
        raise ValueError("pas_pp requires pipeline_nstages == plan_ngpus")
    return pas_hybrid(graph, cfg)

def divide(n, iterable):
    items = list(iterable)
    each, more = divmod(len(items), n)
    stop, parts = 0, []
    for at in range(n):
        start, stop = stop, stop + each + (1 if at < more else 0)
        parts.append(iter(items[start:stop]))
    return parts
