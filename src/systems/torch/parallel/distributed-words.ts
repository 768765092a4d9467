import { product } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import {
  bindArguments,
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  namespace,
  none,
} from "#language/document/bindings/values";
import type { HostFunction, Value } from "#language/python";
import { sayRankZero } from "./device-mesh.ts";
import type { MeshParts } from "./mesh-words.ts";
import type { ParallelRecord } from "./record.ts";
import { sayNotRead } from "./said.ts";

/** Words after which a text runs on several ranks. */
const runsOnMany =
  /\b(?:init_device_mesh|DeviceMesh|fully_shard|FSDP|FullyShardedDataParallel|DistributedDataParallel|DDP|parallelize_module|ParallelDims)\b/u;

/**
 * Marks a text that communicates by itself as one of several processes, as many as a launcher
 * starts.
 */
const startsGroup = /\binit_process_group\b/u;

/** How many ranks there are where the text does not say it. */
export const assumedRanks = 8;

/** Collectives that a program calls itself, which read and write tensors that the board shows whole. */
const collectives = [
  ...["all_reduce", "all_gather", "all_gather_into_tensor", "all_gather_object", "broadcast"],
  ...["reduce_scatter", "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "reduce"],
  ...["gather", "scatter", "send", "recv", "isend", "irecv", "batch_isend_irecv", "gather_object"],
  "P2POp",
  ...["broadcast_object_list", "scatter_object_list", "all_reduce_coalesced"],
];

/** Words of `torch.distributed` itself; nothing of other names. */
export function distributedWord(parts: MeshParts, name: string): Value | undefined {
  switch (name) {
    case "get_world_size":
      return worldSize(parts);
    case "get_rank":
    case "get_node_local_rank":
      return hostFunction(name, (_, context, span) => {
        if (runsOnMany.test(context.source)) sayRankZero(parts.record, context, span);
        return integer(0);
      });
    case "is_initialized":
    case "is_available":
      return hostFunction(name, (_, context) => ({
        kind: "bool",
        value: name === "is_available" || runsOnMany.test(context.source),
      }));
    case "init_process_group":
      return hostFunction(name, (args) => {
        noteRanks(parts.record, args.find((each) => each.name === "world_size")?.value);
        return none;
      });
    case "new_group":
    case "get_default_backend_for_device":
    case "get_backend":
      return hostFunction(name, () => none);
    default:
      return collectives.includes(name) ? collective(parts, name) : undefined;
  }
}

/** The number of processes that a text starts. */
function noteRanks(record: ParallelRecord, value: Value | undefined): void {
  const ranks = value === undefined ? undefined : integerOf(value);
  if (ranks !== undefined && ranks > 1) record.ranks = ranks;
}

/** `torch.multiprocessing.spawn(run, args, nprocs)`: what the process of rank 0 does. */
export function spawnWord(record: ParallelRecord): HostFunction {
  return hostFunction("spawn", (args, context, span) => {
    const { bound } = bindArguments(["fn", "args", "nprocs"], args);
    const run = bound.get("fn")?.value;
    noteRanks(record, bound.get("nprocs")?.value);
    if (run === undefined) return none;
    sayRankZero(record, context, span);
    const given = itemsOf(bound.get("args")?.value) ?? [];
    context.call(
      run,
      [integer(0), ...given].map((value) => ({ value, span })),
      span,
    );
    return none;
  });
}

/** How many ranks a text runs on: as its mesh says, else an assumed number. */
export function worldSize(parts: MeshParts, name = "get_world_size"): HostFunction {
  return hostFunction(name, (args, context, span) => {
    const group = parts.meshes.of(args[0]?.value);
    if (group !== undefined) {
      const sizes = group.dims.flatMap(({ of }) => of.map((at) => group.root.dims[at]?.size ?? 1));
      return integer(product(sizes));
    }
    const known = writtenRanks(parts);
    if (known !== undefined) return integer(known);
    const [isOnMany, isOfGroup] = [runsOnMany, startsGroup].map((each) =>
      each.test(context.source),
    );
    const ranks = isOnMany ? assumedRanks : 1;
    if ((isOnMany || isOfGroup) && parts.record.isNews("ranks"))
      context.report(ranksAssumed(ranks, span));
    return integer(ranks);
  });
}

/** Warns that the number of ranks is assumed. */
export function ranksAssumed(count: number, span: Span): Diagnostic {
  return {
    code: "torch/assumed-ranks",
    severity: "warning",
    message: `how many ranks there are is not in the text: read as ${count}`,
    span,
  };
}

/** The devices of the text's own mesh. */
function writtenRanks({ recorder, record }: MeshParts): number | undefined {
  const axes = recorder.trace.meshes[0]?.axes ?? record.meshes[0]?.dims;
  return axes?.reduce((product, { size }) => product * size, 1) ?? record.ranks;
}

/** The result of an asynchronous collective. */
const request: Value = namespace("Work", (name) =>
  ["wait", "is_completed", "synchronize"].includes(name)
    ? hostFunction(name, () => ({ kind: "bool", value: true }))
    : undefined,
);

/**
 * A collective that the program calls itself: reported as not drawn, since the board shows whole
 * tensors.
 */
function collective({ record }: MeshParts, name: string): HostFunction {
  return hostFunction(name, (_, context, span) => {
    const then = "what the program itself sends is not on the board";
    sayNotRead(record, `torch.distributed.${name}`, then, context, span);
    return name === "batch_isend_irecv" ? { kind: "list", items: [request] } : request;
  });
}
