import type { ModuleClasses } from "#language/document/bindings";
import type { Argument, Context, FunctionValue, InstanceValue, Value } from "#language/python";
import type { ParallelRecord } from "./record.ts";
import { sayNotRead } from "./said.ts";

/** The parts that a call of an uncalled `parallelize_…` function needs. */
export interface UncalledParts {
  readonly record: ParallelRecord;
  readonly modules: ModuleClasses;
  /** The value that torchtitan exports under a name. */
  readonly titan: (name: string, context: Context) => Value | undefined;
}

/** Degrees of parallelism that are assumed where no call gives any. */
const degrees = "dp_shard=2, tp=4";

/**
 * Calls a function `parallelize_…` of the text that nothing calls, on the one model of the text
 * that nothing calls either, with assumed degrees. Reports it where there is no such model.
 */
export function callUncalled(
  parts: UncalledParts,
  context: Context,
  globals: ReadonlyMap<string, Value>,
): void {
  const { record, modules } = parts;
  const [found] = [...globals.values()].filter(isParallelizing);
  if (found === undefined || !record.isEmpty) return;
  const uncalled = new Set(modules.uncalledRoots(() => true));
  const models = [...globals.values()].filter(
    (value): value is InstanceValue => modules.isModule(value) && uncalled.has(value),
  );
  const [model] = models;
  const span = found.nameSpan;
  if (model === undefined || models.length > 1) {
    const then = "nothing calls it, and the text has no model that it could be called for";
    sayNotRead(record, found.name, then, context, span);
    return;
  }
  context.report({
    code: "torch/assumed-call",
    severity: "warning",
    message: `nothing calls "${found.name}": it is read as called for the model with ParallelDims(${degrees}, world_size=8)`,
    span,
  });
  context.attempt(() => context.call(found, argumentsFor(parts, found, model, context), span));
}

function isParallelizing(value: Value): value is FunctionValue {
  return value.kind === "function" && /^parallelize_\w+$/u.test(value.name) && value.span.from >= 0;
}

/** An argument for every parameter without a default, by its name. */
function argumentsFor(
  { titan }: UncalledParts,
  { parameters, nameSpan: span }: FunctionValue,
  model: InstanceValue,
  context: Context,
): readonly Argument[] {
  const make = (name: string, args: readonly Argument[] = []) => {
    const made = titan(name, context);
    return made && context.call(made, args, span);
  };
  const number = (name: string, value: number): Argument => ({
    ...{ name, value: { kind: "int", value: BigInt(value) }, span },
  });
  const dims = make("ParallelDims", [
    ...[number("dp_shard", 2), number("tp", 4), number("world_size", 8)],
  ]);
  const values: Readonly<Record<string, Value | undefined>> = {
    model,
    module: model,
    parallel_dims: dims,
    job_config: make("JobConfig"),
    training: make("Training"),
    parallelism: make("Parallelism"),
    compile_config: make("Compile"),
    ac_config: make("ActivationCheckpoint"),
    world_mesh: dims && context.getAttribute(dims, "world_mesh", span),
  };
  return parameters.flatMap(({ name, kind, defaultTree }): Argument[] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (defaultTree !== undefined && value !== model)) return [];
    return kind.startsWith("var-") ? [] : [{ name, value, span }];
  });
}
