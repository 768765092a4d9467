import type { Span } from "#core/diagnostics";
import { bindArguments, hostFunction, none, textOf } from "#language/document/bindings/values";
import type {
  Argument,
  Context,
  HostFunction,
  HostType,
  InstanceValue,
  Value,
} from "#language/python";
import type { MeshValue } from "./device-mesh.ts";
import { meshIn } from "./mesh-words.ts";
import type { MeshDims } from "./record.ts";
import { idleContext, sayNotRead, sayUnread } from "./said.ts";
import { listed, type ShardParts, sayPolicies, shard, shardMesh, timing } from "./shard-words.ts";
import { wrappedBy } from "./wrap-policies.ts";

/** Wrappers of modules: `FSDP(module)` and `DistributedDataParallel(module)`. */
export class ModuleWrappers {
  private readonly parts: ShardParts;
  private readonly type: HostType;

  constructor(parts: ShardParts) {
    this.parts = parts;
    this.type = {
      name: "Module",
      call: ({ data }, args, context, span) => context.call(inner(data), args, span),
      attribute: ({ data }, name, context, span) =>
        name === "register_comm_hook"
          ? commHook(parts.record)
          : wrapped(inner(data), name, context, span),
      text: () => "module",
    };
  }

  /** The module inside a wrapper. */
  inside(value: Value): Value | undefined {
    return value.kind === "host" && value.type === this.type ? inner(value.data) : undefined;
  }

  /** `DistributedDataParallel(module, device_mesh=…)`, and `replicate(module, …)`, which wraps nothing. */
  copies(word: string, isWrapping: boolean): HostFunction {
    return hostFunction(word, (args, context, span) => {
      const { record, modules } = this.parts;
      const names = isWrapping
        ? ["module", "device_ids", "output_device", "dim", "device_mesh", "mixed_precision"]
        : ["module", "device_mesh", "mesh", "mp_policy", "offload_policy"];
      const all = [...new Set([...names, "delay_all_reduce_named_params", ...timing])];
      const { bound, extra } = bindArguments(all, args);
      sayUnread(record, word, extra, context);
      sayPolicies(this.parts, word, bound, context);
      const module = this.moduleIn(bound.get("module"));
      if (!modules.isModule(module)) {
        sayNotRead(record, word, "what it is given is no module of the text", context, span);
        return bound.get("module")?.value ?? none;
      }
      const mesh = meshIn(this.parts, bound.get("device_mesh") ?? bound.get("mesh"), word, context);
      record.copied.push({ module, mesh: mesh && allOf(mesh), span });
      return isWrapping ? { kind: "host", type: this.type, data: module } : module;
    });
  }

  /** `FSDP(module, sharding_strategy=…, auto_wrap_policy=…, device_mesh=…)`. */
  shards(word: string): HostFunction {
    return hostFunction(word, (args, context, span) => {
      const { record, modules } = this.parts;
      const names = [
        ...["module", "process_group", "sharding_strategy", "cpu_offload", "auto_wrap_policy"],
        ...["backward_prefetch", "mixed_precision", "ignored_modules", "param_init_fn"],
        ...["device_id", "sync_module_states", "forward_prefetch", "limit_all_gathers"],
        ...["use_orig_params", "ignored_states", "device_mesh"],
      ];
      const { bound, extra } = bindArguments(names, args);
      sayUnread(record, word, extra, context);
      sayPolicies(this.parts, word, bound, context);
      const module = this.moduleIn(bound.get("module"));
      if (!modules.isModule(module)) {
        sayNotRead(record, word, "what it is given is no module of the text", context, span);
        return bound.get("module")?.value ?? none;
      }
      const strategy = textOf(bound.get("sharding_strategy")?.value) ?? "FULL_SHARD";
      const mesh = meshIn(this.parts, bound.get("device_mesh"), word, context);
      if (strategy === "NO_SHARD") record.copied.push({ module, mesh: mesh && allOf(mesh), span });
      else
        this.shardOld(
          module,
          strategy,
          [mesh, bound.get("mixed_precision"), bound.get("auto_wrap_policy")],
          context,
          span,
        );
      return { kind: "host", type: this.type, data: module };
    });
  }

  /**
   * Applies the older FSDP: all parameters are cut, and freed after the forward pass unless the
   * call says otherwise.
   */
  private shardOld(
    module: InstanceValue,
    strategy: string,
    [mesh, policy, wrap]: readonly [MeshValue | undefined, ...(Argument | undefined)[]],
    context: Context,
    span: Span,
  ): void {
    const isHybrid = strategy.includes("HYBRID");
    if (isHybrid && (mesh === undefined || mesh.dims.length < 2)) {
      const then =
        "without a mesh of two dims it cuts inside a machine, which the text does not name: all devices are taken";
      sayNotRead(this.parts.record, strategy, then, context, span);
    }
    // The outermost module keeps its gathered parameters: the backward pass begins with them.
    const again =
      strategy.includes("SHARD_GRAD_OP") || strategy.includes("ZERO2") ? false : undefined;
    const inner = this.innerOf(module, wrap, context, span);
    for (const each of [...inner, module]) {
      const sharding = {
        wrapped: [each],
        mesh: shardMesh(mesh),
        again,
        ignored: new Set<undefined>(),
      };
      shard(this.parts, { ...sharding, policy, span }, context);
    }
  }

  /** The modules that a policy cuts each for itself; none where it is not a function. */
  private innerOf(
    module: InstanceValue,
    wrap: Argument | undefined,
    context: Context,
    span: Span,
  ): readonly InstanceValue[] {
    if (wrap === undefined || wrap.value.kind === "none") return [];
    const { record, modules, tensors } = this.parts;
    const taken = new Set(record.sharded.flatMap(({ parameters }) => parameters));
    const elementsOf = (each: InstanceValue) =>
      listed(each, "parameters", context, span).reduce((sum, value) => {
        const tensor = tensors.tensorOf(value);
        const sizes = tensor === undefined || taken.has(tensor) ? [0] : (tensor.shape ?? [0]);
        return (
          sum + sizes.reduce<number>((n, size) => n * (typeof size === "number" ? size : 1), 1)
        );
      }, 0);
    const found = context.attempt(
      () => wrappedBy(wrap.value, module, modules, elementsOf, [context, wrap.span]),
      { isQuiet: true },
    );
    if (found !== undefined) return found;
    sayNotRead(
      record,
      "auto_wrap_policy",
      "all parameters are let go together",
      context,
      wrap.span,
    );
    return [];
  }

  private moduleIn(given: Argument | undefined): Value | undefined {
    return given && (this.inside(given.value) ?? given.value);
  }
}

function allOf({ root, dims }: MeshValue): MeshDims {
  return { root, dims: dims.flatMap(({ of }) => of) };
}

/**
 * An attribute of a wrapper: the module inside, or an attribute of that module; the wrapper's
 * methods about communication do nothing.
 */
function wrapped(module: Value, name: string, context: Context, span: Span): Value {
  if (name === "module" || name === "_fsdp_wrapped_module") return module;
  if (name === "no_sync" || name === "join" || name === "summon_full_params")
    return hostFunction(name, () => idleContext());
  if (name === "clip_grad_norm_") return hostFunction(name, () => none);
  return context.getAttribute(module, name, span);
}

/** `register_comm_hook(state, hook)`: how a text has its gradients sent. */
function commHook(record: ShardParts["record"]): HostFunction {
  return hostFunction("register_comm_hook", (_, context, span) => {
    sayNotRead(record, "register_comm_hook", "gradients are sent as they are", context, span);
    return none;
  });
}

/** Only modules are wrapped. */
function inner(data: unknown): Value {
  return data as Value;
}
