import type { Span } from "#core/diagnostics";
import { hostFunction, namespace, none, text, textOf } from "#language/document/bindings/values";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import type { TorchParts } from "../bindings/torch-functions.ts";
import { isDevices } from "../bindings/torch-utilities.ts";
import { applyCheckpointing, checkpointWrapper } from "./checkpointing.ts";
import { MeshValues } from "./device-mesh.ts";
import { distributedWord, spawnWord, worldSize } from "./distributed-words.ts";
import { distributedMaker, distributedMakers } from "./dtensor-makers.ts";
import { withForm } from "./forms.ts";
import { keepWholeSizes } from "./local-sizes.ts";
import { deviceMeshWord, initDeviceMesh } from "./mesh-words.ts";
import { ModuleWrappers } from "./module-wrappers.ts";
import { parallelizeModule } from "./parallelize-module.ts";
import { PlacementClasses } from "./placements.ts";
import { ParallelRecord, recordName } from "./record.ts";
import { idleContext, sayNotRead } from "./said.ts";
import { fullyShard, policyClasses, shardingStrategies } from "./shard-words.ts";
import { StyleClasses } from "./styles.ts";
import {
  contextParallel,
  distributeModule,
  distributeTensor,
  fromLocal,
  type TensorParts,
  tensorMethod,
} from "./tensor-words.ts";
import { callUncalled, type UncalledParts } from "./uncalled.ts";
import { wrapPolicies } from "./wrap-policies.ts";

/** Parts of torch that these words use. */
interface OtherWords extends Pick<UncalledParts, "titan"> {
  /** A function that makes a tensor out of a shape. */
  readonly creator: (name: string) => Value | undefined;
}

/** The words of parallel PyTorch in one run of a program, and what the run says in them. */
export class ParallelWords {
  private readonly parts: TensorParts;
  private readonly styles: StyleClasses;
  private readonly wrappers: ModuleWrappers;
  private readonly words: ReadonlyMap<string, Value>;
  private readonly uncalled: UncalledParts & OtherWords;

  constructor({ recorder, tensors, modules }: TorchParts, others: OtherWords) {
    const record = new ParallelRecord({
      isHeld: (tensor) => modules.holds(tensor),
      isModule: (value) => modules.isModule(value),
      tensorOf: (value) => tensors.tensorOf(value),
    });
    recorder.trace.bySystem.set(recordName, record);
    const meshes = new MeshValues(record);
    const placements = new PlacementClasses();
    this.parts = { recorder, tensors, record, meshes, placements };
    this.uncalled = { record, modules, ...others };
    this.styles = new StyleClasses(record);
    this.wrappers = new ModuleWrappers({ ...this.parts, modules });
    keepWholeSizes(record, modules);
    const styled = { ...this.parts, modules, styles: this.styles };
    const dtensor = namespace("DTensor", (name) =>
      name === "from_local" ? fromLocal(this.parts) : undefined,
    );
    const isSharded = (value: Value) => record.sharded.some(({ module }) => module === value);
    this.words = new Map<string, Value>([
      ["init_device_mesh", initDeviceMesh(this.parts)],
      ["DeviceMesh", deviceMeshWord(this.parts)],
      ["parallelize_module", parallelizeModule(styled)],
      ["distribute_tensor", distributeTensor(this.parts)],
      ["distribute_module", distributeModule(this.parts)],
      ["DTensor", dtensor],
      ["fully_shard", fullyShard({ ...this.parts, modules })],
      ["FullyShardedDataParallel", this.wrappers.shards("FullyShardedDataParallel")],
      ["DistributedDataParallel", this.wrappers.copies("DistributedDataParallel", true)],
      ["DataParallel", this.wrappers.copies("DataParallel", true)],
      ["replicate", this.wrappers.copies("replicate", false)],
      ["context_parallel", contextParallel(this.parts)],
      ["loss_parallel", hostFunction("loss_parallel", () => idleContext())],
      ["ShardingStrategy", named("ShardingStrategy", shardingStrategies)],
      ["BackwardPrefetch", named("BackwardPrefetch", ["BACKWARD_PRE", "BACKWARD_POST"])],
      [
        "ReduceOp",
        named("ReduceOp", ["SUM", "AVG", "MAX", "MIN", "PRODUCT", "BAND", "BOR", "BXOR"]),
      ],
      ["FSDPModule", { ...hostFunction("FSDPModule", () => none), isInstance: isSharded }],
      ["_say_not_read", sayWord(record)],
      ["checkpoint_wrapper", checkpointWrapper(record, modules)],
      ["apply_activation_checkpointing", applyCheckpointing(record, modules)],
      ...placements.names,
      ...policyClasses,
      ...wrapPolicies(),
    ]);
  }

  get record(): ParallelRecord {
    return this.parts.record;
  }

  /** A word of a module of torch that is about running in parallel; nothing of other names. */
  word(module: string, name: string): Value | undefined {
    if (module.startsWith("torch.multiprocessing") && name === "spawn")
      return spawnWord(this.record);
    if (isDevices(module) && name === "device_count") return worldSize(this.parts, name);
    if (!/^torch\.(?:distributed|nn\.parallel)(?:\.|$)/u.test(module)) return undefined;
    return (
      withForm(name, this.words.get(name) ?? this.styles.class(name)) ??
      (/^torch\.distributed\._?tensor$/u.test(module)
        ? distributedMaker(this.parts, name, this.uncalled.creator)
        : undefined) ??
      (module === "torch.distributed" || module.endsWith("distributed_c10d")
        ? withForm(name, distributedWord(this.parts, name))
        : undefined)
    );
  }

  /** The names that `from module import *` imports, of the modules of these words. */
  names(module: string): readonly string[] | undefined {
    if (!/^torch\.distributed\.(?:_?tensor|fsdp|device_mesh)(?:\.|$)/u.test(module))
      return undefined;
    const makers = /tensor$/u.test(module) ? distributedMakers : [];
    const all = [...this.words.keys(), ...this.styles.names, ...makers];
    return all.filter((name) => !name.startsWith("_"));
  }

  /** `nn.Parameter`: a parameter that is made of a tensor lies as that does. */
  carrying(word: HostFunction): HostFunction {
    const { record, tensors } = this.parts;
    const call: HostFunction["call"] = (args, context, span) => {
      const made = word.call(args, context, span);
      const [before, after] = [tensors.tensorOf(args[0]?.value), tensors.tensorOf(made)];
      const placed = record.placed.findLast(({ tensor }) => tensor === before);
      if (placed !== undefined && after !== undefined && after !== before)
        record.placed.push({ ...placed, tensor: after });
      return made;
    };
    return { ...word, call };
  }

  /** A method of a tensor as a `DTensor`. */
  method(name: string, args: readonly Argument[], context: Context, span: Span): Value | undefined {
    return tensorMethod(this.parts, name, args, context, span);
  }

  /** Calls a function that says how a model runs in parallel, where nothing else does. */
  callUncalled(context: Context, globals: ReadonlyMap<string, Value>): void {
    callUncalled(this.uncalled, context, globals);
  }

  /** The module inside a wrapper. */
  inside(value: Value): Value | undefined {
    return this.wrappers.inside(value);
  }
}

/** A host function by which library parts written in Python report what they do not read. */
function sayWord(record: ParallelRecord): Value {
  return hostFunction("_say_not_read", ([word, then], context, span) => {
    const place = context.frames.findLast(({ callSpan }) => callSpan.from >= 0)?.callSpan ?? span;
    sayNotRead(record, textOf(word?.value) ?? "", textOf(then?.value) ?? "", context, place);
    return none;
  });
}

/** An enumeration whose members are their names. */
function named(name: string, members: readonly string[]): Value {
  return namespace(name, (member) => (members.includes(member) ? text(member) : undefined));
}
