import type { Diagnostic } from "#core/diagnostics";
import type { TraceBody } from "#core/ir/body";
import type { Context, Value } from "#language/python";
import type { HostBindings } from "./bindings/host-bindings.ts";
import { imageSide, type TokenRows, tokenRows } from "./bindings/model-settings.ts";
import { addBiasesAfterSums } from "./graph/bias-after-sum.ts";
import { type BuiltGraph, buildGraph } from "./graph/build-graph.ts";
import { documentMesh } from "./graph/document-mesh.ts";
import { drawStacks, nameStacks } from "./graph/expert-stacks.ts";
import { modulePaths } from "./graph/module-paths.ts";
import { dropUnreadResults } from "./graph/unread-results.ts";
import { meetShapes, requireDivisors } from "./trace/assume.ts";
import { isOpen, leavesOf, type Memory, remember, type Shared } from "./trace/memory.ts";
import { type ModuleNameOf, nameTensors } from "./trace/names.ts";
import type { Recorder } from "./trace/recorder.ts";
import type { Trace } from "./trace/trace.ts";
import { bodyTracer } from "./trace/trace-body.ts";
import type { TracedTensor } from "./trace/traced.ts";
import { asksByName, heldTensors, meanBoth, nameByVariables } from "./variable-names.ts";

/** Result of ending a run: the graph of its trace. */
export interface Ending {
  readonly names: ReadonlyMap<TracedTensor, string>;
  readonly built: BuiltGraph;
  readonly diagnostics: readonly Diagnostic[];
  /** Runs the bodies of registered functions on demand. */
  readonly traceBody: TraceBody;
  /** Names of modules by what holds them. */
  readonly placeOf: ModuleNameOf;
  /** Sizes that a repeated run would start with; absent when nothing is left to learn. */
  readonly memory?: Memory;
  /** Row lengths of token inputs that a setting tells and this run assumed otherwise. */
  readonly rows?: TokenRows;
  /** Height and width of images by the settings of the run's modules. */
  readonly imageSide?: number;
}

/** Services of one run of a program. */
export interface Setting {
  readonly recorder: Recorder;
  readonly memory: Memory;
  readonly bindings: HostBindings;
  readonly shared: Shared;
}

/** Ends a run: runs policies against the graph, drops unread results and builds the final graph. */
export function endOf(
  { recorder, memory, bindings, shared }: Setting,
  globals: ReadonlyMap<string, Value>,
  context: Context,
): Ending {
  const { trace } = recorder;
  if (trace.operators.some(({ outputs }) => outputs.length > 1)) dropUnreadResults(trace);
  drawStacks(trace);
  const leaves = leavesOf(trace);
  bindings.classes.made?.release(globals, trace);
  const open = isOpen(trace) && memory.leaves.length === 0 && memory.hidden.length === 0;
  if (!open) bindings.systems.release(context.source);
  const byFunctions = asksByName(trace) ? namesOf(trace, bindings) : undefined;
  const tensorOf = (value: Value) => bindings.tensors.tensorOf(value);
  nameByVariables(globals, tensorOf, trace);
  const names = namesOf(trace, bindings);
  if (byFunctions !== undefined)
    meanBoth(trace, byFunctions, names, heldTensors(globals, tensorOf));
  const met = [...bindings.modules.reportUndefined(), ...meetShapes(trace, names)];
  const devices = () => documentMesh(trace, []).mesh.devices;
  recorder.aside(() => bindings.runPolicies(globals, { isExact: !open, devices }, context));
  requireDivisors(trace, names);
  const next = open ? remember(trace, leaves) : undefined;
  const rows = open ? tokenRows(leaves, bindings.classes.made?.made) : undefined;
  const side = open ? imageSide(bindings.classes.made?.made) : undefined;
  const isLinear = trace.operators.some(({ entry }) => entry === "linear");
  trace.biasesAfterSums = isLinear && next === undefined ? addBiasesAfterSums(trace, names) : [];
  const all = trace.biasesAfterSums.length === 0 ? names : namesOf(trace, bindings);
  const built = buildGraph(trace, all, context.source, {
    spaceOf: shared.spaceOf,
    moduleOf: modulePaths(trace.operators, bindings.placeOf()),
  });
  let tracer: TraceBody | undefined;
  const traceBody: TraceBody = (call) => {
    tracer ??= bodyTracer({ recorder, tensors: bindings.tensors, context, built });
    return tracer(call);
  };
  return {
    ...{ names: all, built, traceBody, diagnostics: met, placeOf: bindings.placeOf() },
    ...(next !== undefined && { memory: next }),
    ...(rows !== undefined && { rows }),
    ...(side !== undefined && { imageSide: side }),
  };
}

/** Graph of a program whose evaluation stopped early. */
export function graphOf(trace: Trace, bindings: HostBindings, source: string): Ending {
  drawStacks(trace);
  if (trace.operators.some(({ outputs }) => outputs.length > 1)) dropUnreadResults(trace);
  const names = namesOf(trace, bindings);
  const met = meetShapes(trace, names);
  requireDivisors(trace, names);
  const built = buildGraph(trace, names, source, {
    moduleOf: modulePaths(trace.operators, bindings.placeOf()),
  });
  const ended = { names, built, diagnostics: met, placeOf: bindings.placeOf() };
  return { ...ended, traceBody: () => ({ ok: false, reason: "the program did not end" }) };
}

/** Marks results that modules hold, and inputs that functions make for themselves. */
function noteHeld({ tensors }: Trace, { classes }: HostBindings): void {
  const held = classes.made?.tensorsHeld();
  for (const tensor of tensors) {
    const { role, producer, frames, isModuleVariable } = tensor;
    const isHeld = held?.has(tensor) === true;
    if (producer !== undefined && isHeld) tensor.isHeld = true;
    const isInside = role === "input" && producer === undefined && frames.length > 0;
    if (isInside && !isModuleVariable && !isHeld) tensor.isMadeInside = true;
  }
}

function namesOf(trace: Trace, bindings: HostBindings): ReadonlyMap<TracedTensor, string> {
  noteHeld(trace, bindings);
  bindings.nameParameters();
  nameStacks(trace);
  return nameTensors(trace.tensors, trace.operators, bindings.placeOf());
}
