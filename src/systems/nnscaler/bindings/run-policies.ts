import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import { itemsOf, none, textOf } from "#language/document/bindings/values";
import type {
  Recorder,
  TracedOperator,
  TracedTensor,
  WrittenPolicy,
} from "#language/document/trace";
import type { Context, Value } from "#language/python";
import { assumedMesh } from "./assumed-mesh.ts";
import { functionOf, type PolicyRequests } from "./parallelize.ts";
import type { ChosenPolicy, PolicyBindings } from "./policies.ts";
import { candidatesIn, isCalled, nothingToSplit, notRun, policyChoices } from "./policy-choice.ts";
import { devicesOf, isEndToEnd, type PolicyConfigs, writtenDevices } from "./policy-config.ts";
import { autodistSaid } from "./policy-faults.ts";

/** Services for running a text's policies. */
export interface PolicyParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly words: PolicyBindings;
  readonly requests: PolicyRequests;
  readonly configs: PolicyConfigs;
  /** Looks up a name in nnScaler's own Python code. */
  readonly library: (name: string, context: Context) => Value | undefined;
}

type Meant = Omit<ChosenPolicy, "config" | "isEndToEnd"> & { readonly config: Value | undefined };

/** Runs the policy that a text chooses, and notes the others that are not run. */
export function runPolicies(
  parts: PolicyParts,
  globals: ReadonlyMap<string, Value>,
  run: { readonly isExact: boolean; readonly devices: () => readonly number[] },
  context: Context,
): void {
  const { recorder, configs } = parts;
  const candidates = candidatesIn(globals, context.source);
  const meant = requested(parts, context) ?? meantOf(candidates);
  const isEmpty = recorder.trace.operators.length === 0;
  const [first] = candidates;
  if (isEmpty && first !== undefined) {
    context.report(nothingToSplit(first, globals, context));
    recorder.trace.saysNothingDrawn = true;
    return;
  }
  const others = candidates.filter(({ func }) => {
    const isHelper = meant !== undefined && isCalled(func, context.source);
    return func !== meant?.func && !isHelper;
  });
  if (others.length > 0) context.report(notRun(others, meant?.func?.name, context));
  recorder.trace.choices.push(...policyChoices(candidates, meant?.func, context.source));
  if (isEmpty || meant === undefined) return;
  recorder.trace.policy = writtenPolicy(meant, parts);
  const given = meant.config ?? configs.heldBy(globals, context);
  assumedMesh(recorder, context, devicesOf(given) ?? writtenDevices(context.source));
  const all = run.devices();
  const config = given ?? configs.assumed(meant.func, all.length, context) ?? none;
  const planned = devicesOf(config) ?? all.length;
  if (all.length % planned !== 0) reportDevices(planned, all.length, meant.place, context);
  const devices = all.length % planned === 0 ? all.slice(0, planned) : all;
  const results = parts.requests.results?.flatMap((each) => tensorsIn(each, parts.tensors));
  const live = results && liveOperators(results);
  const setting = { recorder, isExact: run.isExact, devices, allDevices: all, live };
  if (meant.func !== undefined && meant.func.span.from >= 0)
    recorder.trace.policyDefinition = meant.func.span;
  parts.words.run({ ...meant, config, isEndToEnd: isEndToEnd(config) }, setting, context);
  recorder.trace.avoidsReduceScatter = avoidsReduceScatter(parts, context);
}

/** Whether the text sets the flag that keeps nnScaler's adapters from using reduce-scatter. */
function avoidsReduceScatter({ library }: PolicyParts, context: Context): boolean {
  if (!context.source.includes("CompileFlag")) return false;
  const flags = library("CompileFlag", context);
  const flag =
    flags?.kind === "class" ? flags.attributes.get("disable_reduce_scatter_adapter") : undefined;
  return flag?.kind === "bool" && flag.value;
}

/** Spans and names of the running policy in the text. */
function writtenPolicy({ policy, func }: Meant, { requests }: PolicyParts): WrittenPolicy {
  const isOwn = policy.kind === "function" && func !== undefined && func.span.from >= 0;
  const argument = requests.policies.at(-1)?.span;
  return {
    graph: (isOwn ? func.parameters[0]?.name : undefined) ?? "graph",
    ...(isOwn && { body: func.bodySpan }),
    ...(argument !== undefined && { argument }),
    nodes: [],
  };
}

/** The tensors in a value: the value itself, or members of lists, tuples and dicts. */
function tensorsIn(value: Value, tensors: TensorBindings): readonly TracedTensor[] {
  const tensor = tensors.tensorOf(value);
  if (tensor !== undefined) return [tensor];
  const items =
    value.kind === "dict"
      ? [...value.entries.values()].map((entry) => entry.value)
      : itemsOf(value);
  return (items ?? []).flatMap((item) => tensorsIn(item, tensors));
}

/** The operators that results depend on: nnScaler traces no others. */
function liveOperators(results: readonly TracedTensor[]): ReadonlySet<TracedOperator> {
  const live = new Set<TracedOperator>();
  const open = [...results];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const { producer } = tensor;
    if (producer === undefined || live.has(producer)) continue;
    live.add(producer);
    open.push(...producer.inputs.filter((each) => each.kind === "tensor"));
  }
  return live;
}

function meantOf([first]: ReturnType<typeof candidatesIn>): Meant | undefined {
  if (first === undefined || first.missing.length > 0) return undefined;
  const { policy, func } = first;
  return { policy, func, place: func.nameSpan, config: undefined };
}

/** The policy named by the last such call: a function of the text, or one of nnScaler's own. */
function requested(
  { requests, configs, library }: PolicyParts,
  context: Context,
): Meant | undefined {
  const last = requests.policies.at(-1);
  if (last === undefined) return undefined;
  const { config, span, isOld } = last;
  configs.isOld = isOld;
  const name = textOf(last.policy);
  if (name === undefined) {
    const func = functionOf(last.policy);
    return func && { policy: last.policy, func, place: spanInText(func.nameSpan, span), config };
  }
  const policy = library(`pas_${name}`, context);
  if (policy !== undefined) return { policy, func: functionOf(policy), place: span, config };
  context.report(notRunByName(name, span));
  return undefined;
}

/** The function's span, or that of the call for functions of nnScaler itself. */
function spanInText(own: Span, call: Span): Span {
  return own.from < 0 ? call : own;
}

function notRunByName(name: string, span: Span) {
  const isKnown = name === "autodist";
  return {
    code: "nnscaler/policy-not-run",
    severity: isKnown ? "warning" : "error",
    message: isKnown ? autodistSaid : `nnScaler has no policy called "${name}"`,
    span,
    ...(!isKnown && { upstream: "ValueError" }),
  } as const;
}

function reportDevices(planned: number, all: number, span: Span, context: Context): void {
  context.report({
    code: "nnscaler/devices",
    severity: "warning",
    message: `ComputeConfig plans for ${planned} devices and the mesh has ${all}: the policy is run for all ${all}, and may count on ${planned}`,
    span,
  });
}
