import type { Span } from "#core/diagnostics";
import type { ModuleClasses } from "#language/document/bindings";
import { bindArguments, hostFunction, itemsOf, none } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import {
  type Argument,
  type Context,
  type HostFunction,
  hostClass,
  type InstanceValue,
  type Value,
} from "#language/python";
import { eachDim, type MeshValue } from "./device-mesh.ts";
import { type MeshParts, meshIn } from "./mesh-words.ts";
import { applyPrecision } from "./mixed-precision.ts";
import type { ShardedParameters } from "./record.ts";
import { flagOf, sayNotRead, sayUnread } from "./said.ts";

/** The parts of a run that the words for data parallelism use. */
export interface ShardParts extends MeshParts {
  readonly modules: ModuleClasses;
}

/** Arguments of `fully_shard` and `FSDP` that change when something is sent, not what. */
export const timing = [
  ...["backward_prefetch", "forward_prefetch", "limit_all_gathers", "sync_module_states"],
  ...["use_orig_params", "device_id", "param_init_fn", "find_unused_parameters"],
  ...["broadcast_buffers", "static_graph", "gradient_as_bucket_view", "check_reduction", "dim"],
  ...["bucket_cap_mb", "output_device", "device_ids", "init_sync", "process_group"],
];

/** `fully_shard(module, mesh=…, reshard_after_forward=…)`. */
export function fullyShard(parts: ShardParts): HostFunction {
  const word = "fully_shard";
  return hostFunction(word, (args, context, span) => {
    const names = [
      ...["module", "mesh", "reshard_after_forward", "shard_placement_fn", "mp_policy"],
      ...["offload_policy", "ignored_params", "dp_mesh_dims"],
    ];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    sayPolicies(parts, word, bound, context);
    const given = bound.get("module");
    const wrapped = (itemsOf(given?.value) ?? [given?.value]).flatMap((each) =>
      parts.modules.isModule(each) ? [each] : [],
    );
    if (given === undefined || wrapped.length === 0) {
      const then = "what it is given is no module of the text";
      sayNotRead(parts.record, word, then, context, span);
      return given?.value ?? none;
    }
    const mesh = meshIn(parts, bound.get("mesh"), word, context);
    const again = resharding(parts, bound.get("reshard_after_forward"), context);
    const ignored = new Set(
      (itemsOf(bound.get("ignored_params")?.value) ?? []).map((each) =>
        parts.tensors.tensorOf(each),
      ),
    );
    const sharding = { wrapped, mesh: shardMesh(mesh), again, ignored, span };
    shard(parts, { ...sharding, policy: bound.get("mp_policy") }, context);
    return given.value;
  });
}

/** A mesh of two dims copies over the first and cuts over the second. */
export function shardMesh(mesh: MeshValue | undefined): ShardedParameters["mesh"] {
  if (mesh === undefined) return undefined;
  const dims = eachDim(mesh);
  const [first, second] = dims;
  if (first === undefined) return undefined;
  return second === undefined ? { shard: first } : { shard: second, copies: first };
}

/** `reshard_after_forward`; a number keeps pieces of another size, which is not drawn. */
function resharding(
  { record }: ShardParts,
  given: Argument | undefined,
  context: Context,
): boolean | undefined {
  if (given?.value.kind !== "int") return flagOf(given);
  const then =
    "parameters are shown as let go to their pieces over the whole dim, and gathered again from these";
  sayNotRead(
    record,
    `reshard_after_forward=${context.text(given.value)}`,
    then,
    context,
    given.span,
  );
  return true;
}

interface Sharding {
  readonly wrapped: readonly InstanceValue[];
  readonly mesh: ShardedParameters["mesh"];
  readonly again: boolean | undefined;
  readonly ignored: ReadonlySet<TracedTensor | undefined>;
  readonly policy: Argument | undefined;
  readonly span: Span;
}

/** Cuts the parameters of modules that no call before has cut. */
export function shard(
  parts: ShardParts,
  { wrapped, mesh, again, ignored, policy, span }: Sharding,
  context: Context,
): void {
  const { record, tensors } = parts;
  const taken = new Set(record.sharded.flatMap(({ parameters }) => parameters));
  for (const module of wrapped) {
    const parameters = listed(module, "parameters", context, span).flatMap((value) => {
      const tensor = tensors.tensorOf(value);
      return tensor === undefined || taken.has(tensor) || ignored.has(tensor) ? [] : [tensor];
    });
    const inside = new Set(
      listed(module, "modules", context, span).flatMap((each) =>
        each.kind === "instance" ? [each] : [],
      ),
    );
    applyPrecision(parts, policy, module, parameters, context);
    record.sharded.push({ module, inside, parameters, mesh, isGatheredAgain: again, span });
  }
}

/** The parameters, or the modules, of a module and of those inside it. */
export function listed(
  module: InstanceValue,
  what: "parameters" | "modules",
  context: Context,
  span: Span,
): readonly Value[] {
  const method = context.getAttribute(module, what, span);
  return context.iterate(context.call(method, [], span), span);
}

/** Policies of data types, of offloading and of placements, which the board does not show. */
export function sayPolicies(
  { record }: ShardParts,
  word: string,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
): void {
  const unread: readonly (readonly [string, string])[] = [
    ["offload_policy", "parameters are shown on the devices"],
    ["cpu_offload", "parameters are shown on the devices"],
    ["shard_placement_fn", "parameters are shown cut on their first dim"],
    ["dp_mesh_dims", "the dims of the mesh are taken in their order"],
    ["ignored_states", "its parameters are shown cut with the others"],
    ["ignored_modules", "its parameters are shown cut with the others"],
    ["delay_all_reduce_named_params", "its gradients are shown reduced with the others"],
  ];
  for (const [name, then] of unread) {
    const given = bound.get(name);
    if (given === undefined || given.value.kind === "none" || isIdle(given.value)) continue;
    sayNotRead(record, `"${name}" of ${word}`, then, context, given.nameSpan ?? given.span);
  }
}

/** Whether a policy has no effect: `OffloadPolicy()`, or `False`. */
function isIdle(value: Value): boolean {
  if (value.kind === "bool") return !value.value;
  if (value.kind !== "instance") return false;
  const offload = value.attributes.get("offload_params");
  return value.type.name === "OffloadPolicy" || (offload?.kind === "bool" && !offload.value);
}

/** Policy classes such as `MixedPrecisionPolicy`, with the names of their arguments. */
export const policyClasses = new Map(
  Object.entries({
    MixedPrecisionPolicy: [
      ...["param_dtype", "reduce_dtype", "output_dtype", "cast_forward_inputs"],
    ],
    MixedPrecision: ["param_dtype", "reduce_dtype", "buffer_dtype"],
    OffloadPolicy: [],
    CPUOffloadPolicy: ["pin_memory"],
    CPUOffload: ["offload_params"],
  }).map(([name, names]) => [name, policyClass(name, names)]),
);

function policyClass(name: string, names: readonly string[]) {
  return hostClass(name, {
    __init__: ([self, ...args]) => {
      if (self?.value.kind !== "instance") return none;
      for (const [key, { value }] of bindArguments(names, args).bound)
        self.value.attributes.set(key, value);
      return none;
    },
  });
}

/** The strategies of `FSDP`, by name. */
export const shardingStrategies = [
  ...["FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "_HYBRID_SHARD_ZERO2"],
];
