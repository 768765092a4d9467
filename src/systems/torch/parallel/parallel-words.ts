import { hostFunction, namespace, none, text } from "#language/document/bindings";
import { type Argument, type Context, hostClass, type Value } from "#language/python";
import type { Span } from "#core/diagnostics";
import type { TorchParts } from "../bindings/torch-functions.ts";
import { MeshValues } from "./device-mesh.ts";
import { distributedWord } from "./distributed-words.ts";
import { deviceMeshWord, initDeviceMesh } from "./mesh-words.ts";
import { parallelizeModule } from "./parallelize-module.ts";
import { PlacementClasses } from "./placements.ts";
import { ParallelRecord, recordName } from "./record.ts";
import { idleContext, sayNotRead } from "./said.ts";
import {
  fullyShard,
  ModuleWrappers,
  policyClasses,
  shardingStrategies,
} from "./shard-words.ts";
import { StyleClasses } from "./styles.ts";
import {
  contextParallel,
  distributeModule,
  distributeTensor,
  fromLocal,
  type TensorParts,
  tensorMethod,
} from "./tensor-words.ts";

/** The words of parallel PyTorch in one run of a program, and what the run says in them. */
export class ParallelWords {
  private readonly parts: TensorParts;
  private readonly styles: StyleClasses;
  private readonly wrappers: ModuleWrappers;
  private readonly words: ReadonlyMap<string, Value>;

  constructor({ recorder, tensors, modules }: TorchParts) {
    const record = new ParallelRecord({
      isHeld: (tensor) => modules.holds(tensor),
      tensorOf: (value) => tensors.tensorOf(value),
    });
    recorder.trace.bySystem.set(recordName, record);
    const meshes = new MeshValues(record);
    const placements = new PlacementClasses();
    this.parts = { recorder, tensors, record, meshes, placements };
    this.styles = new StyleClasses(record);
    this.wrappers = new ModuleWrappers({ ...this.parts, modules });
    const styled = { ...this.parts, modules, styles: this.styles };
    const dtensor = namespace("DTensor", (name) =>
      name === "from_local" ? fromLocal(this.parts) : undefined,
    );
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
      ["ReduceOp", named("ReduceOp", ["SUM", "AVG", "MAX", "MIN", "PRODUCT"])],
      ["FSDPModule", hostClass("FSDPModule", {})],
      ...placements.names,
      ...policyClasses,
    ]);
  }

  get record(): ParallelRecord {
    return this.parts.record;
  }

  /** A word of a module of torch that is about running in parallel; nothing of other names. */
  word(module: string, name: string): Value | undefined {
    if (!/^torch\.(?:distributed|nn\.parallel)(?:\.|$)/u.test(module)) return undefined;
    return (
      this.words.get(name) ??
      this.styles.class(name) ??
      (module === "torch.distributed" || module.endsWith("distributed_c10d")
        ? distributedWord(this.parts, name)
        : undefined) ??
      this.quiet(name)
    );
  }

  /** What changes nothing that the board shows; policies by which FSDP wraps are taken as one. */
  private quiet(name: string): Value | undefined {
    if (!/^(?:\w*_wrap_policy|ModuleWrapPolicy|CustomPolicy|wrap|enable_wrap)$/u.test(name))
      return undefined;
    return hostFunction(name, (_, context, span) => {
      const then = "all parameters of the module are gathered for the first operator that reads them";
      sayNotRead(this.record, name, then, context, span);
      return none;
    });
  }

  /** What a tensor answers to as a `DTensor`. */
  method(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value | undefined {
    return tensorMethod(this.parts, name, args, context, span);
  }

  /** The module inside a wrapper. */
  inside(value: Value): Value | undefined {
    return this.wrappers.inside(value);
  }
}

/** An enumeration whose members are their names. */
function named(name: string, members: readonly string[]): Value {
  return namespace(name, (member) => (members.includes(member) ? text(member) : undefined));
}
