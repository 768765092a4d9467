import type { Span } from "#core/diagnostics";
import type { ModuleClasses } from "#language/document/bindings";
import { bindArguments, hostFunction, none } from "#language/document/bindings/values";
import type { Argument, Context, FunctionValue, Value } from "#language/python";

/** A policy named in a call, with its configuration. */
export interface PolicyRequest {
  readonly policy: Value;
  readonly config: Value | undefined;
  readonly span: Span;
  /** Whether this is the older `compile(…, PAS=…)`, whose policies read `resource.ngpus`. */
  readonly isOld: boolean;
}

/** A module that a call asks to trace, with its arguments. */
export interface TraceRequest {
  readonly module: Value;
  readonly args: readonly Argument[];
  readonly span: Span;
}

/** The calls that name policies, in program order. */
export class PolicyRequests {
  readonly policies: PolicyRequest[] = [];
  readonly traces: TraceRequest[] = [];
  /**
   * Results of modules that were traced only by us; `undefined` if the text calls all of them
   * itself.
   */
  results: readonly Value[] | undefined;

  /**
   * `nnscaler.parallelize(module, inputs, policy, config)`: returns the module, and records policy
   * and inputs.
   */
  readonly parallelize = hostFunction("parallelize", (args, context, span) => {
    const names = ["module_or_module_class", "dummy_forward_args", "pas_policy", "compute_config"];
    const { bound } = bindArguments([...names, ...furtherNames], args);
    const [given, inputs, policy, config] = names.map((name) => bound.get(name)?.value);
    if (given === undefined || policy === undefined) {
      return context.raise("TypeError", "parallelize() needs a module and a policy", span);
    }
    const module = given.kind === "class" ? context.call(given, [], span) : given;
    this.policies.push({
      policy,
      config,
      span: bound.get("pas_policy")?.span ?? span,
      isOld: false,
    });
    const dict = bound.get("dummy_forward_args") ?? bound.get("dummy_input");
    this.traces.push({ module, args: keywordsIn(inputs ?? dict?.value, context, span), span });
    if (module.kind === "instance") {
      for (const word of runtimeWords) module.attributes.set(word.name, word);
    }
    return module;
  });

  /** Traces the modules that were passed to nnScaler and that the text never calls. */
  drawUncalled(modules: ModuleClasses, context: Context): void {
    const uncalled = new Set(modules.uncalledRoots(() => true));
    for (const { module, args, span } of this.traces) {
      if (module.kind !== "instance" || !uncalled.has(module) || args.length === 0) continue;
      uncalled.delete(module);
      const result = context.attempt(() => context.call(module, args, span));
      if (result !== undefined) this.results = [...(this.results ?? []), result];
    }
  }

  /** The older `@compile(model, *inputs, PAS=policy)`, which traces a function of the text. */
  readonly compile = hostFunction("compile", (args, _, span) => {
    const policy = args.find(({ name }) => name === "PAS");
    if (policy !== undefined) {
      this.policies.push({
        policy: policy.value,
        config: undefined,
        span: policy.span,
        isOld: true,
      });
    }
    const passed = args.filter(({ name }) => name === undefined);
    return hostFunction("compile", ([func], context) => {
      if (func?.value.kind === "function") context.call(func.value, passed, span);
      return func?.value ?? none;
    });
  });
}

/** Methods of a parallel module that add nothing to the graph. */
const runtimeWords = ["sync_grad", "gather_params", "train_step", "infer_step", "clip_gnorm"].map(
  (name) => hostFunction(name, () => none),
);

const furtherNames = ["gen_savedir", "reuse", "instance_name", "load_module", "module_dtype"];

function keywordsIn(value: Value | undefined, context: Context, span: Span): readonly Argument[] {
  if (value?.kind !== "dict") return [];
  return [...value.entries.values()].map((entry) => ({
    name: context.text(entry.key),
    value: entry.value,
    span,
  }));
}

/**
 * The function of the text behind a policy: itself, or the one in a `partial`; else `undefined`.
 */
export function functionOf(policy: Value | undefined): FunctionValue | undefined {
  if (policy?.kind === "function") return policy;
  return policy?.kind === "instance" ? functionOf(policy.attributes.get("func")) : undefined;
}
