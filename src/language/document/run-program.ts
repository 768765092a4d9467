import { type Diagnostic, hasErrors, type Span } from "#core/diagnostics";
import type { TraceBody } from "#core/ir/body";
import { type Context, evaluate, type Frame, type Host, type Value } from "#language/python";
import { assumedOf } from "./bindings/assumed.ts";
import { callChoices, nothingRuns } from "./bindings/entries.ts";
import { type HostBindings, hostBindings } from "./bindings/host-bindings.ts";
import { imageSide, type TokenRows, tokenRows } from "./bindings/model-settings.ts";
import { nativeBindings, outsideBindings } from "./bindings/native.ts";
import { addBiasesAfterSums } from "./graph/bias-after-sum.ts";
import { type BuiltGraph, buildGraph } from "./graph/build-graph.ts";
import { documentMesh } from "./graph/document-mesh.ts";
import { drawStacks, nameStacks } from "./graph/expert-stacks.ts";
import { modulePaths } from "./graph/module-paths.ts";
import { dropUnreadResults } from "./graph/unread-results.ts";
import { linesOnce, type ProgramLines, StatementValues } from "./program-lines.ts";
import type { ReadingSystem } from "./system.ts";
import { afterUnknown } from "./trace/after-unknown.ts";
import { meetShapes, requireDivisors } from "./trace/assume.ts";
import {
  createShared,
  isOpen,
  leavesOf,
  type Memory,
  remember,
  type Shared,
} from "./trace/memory.ts";
import { type ModuleNameOf, nameTensors } from "./trace/names.ts";
import { Recorder } from "./trace/recorder.ts";
import { trains } from "./trace/repeated-rounds.ts";
import type { Trace } from "./trace/trace.ts";
import { bodyTracer } from "./trace/trace-body.ts";
import type { TracedTensor } from "./trace/traced.ts";
import { asksByName, heldTensors, meanBoth, nameByVariables } from "./variable-names.ts";

/** What one run of a program left behind, with its graph. */
export interface ProgramRun {
  readonly trace: Trace;
  readonly names: ReadonlyMap<TracedTensor, string>;
  readonly built: BuiltGraph;
  readonly diagnostics: readonly Diagnostic[];
  /** How many steps of the evaluator it took; none of a plan beside a graph. */
  readonly steps: number;
  /** Whether a statement failed, so that names may be missing through no fault of their own. */
  readonly isBroken: boolean;
  /** Tensors that a name of the module still holds at the end. */
  readonly variables: ReadonlyMap<string, TracedTensor>;
  /** Every name that the module binds. */
  readonly boundNames: ReadonlySet<string>;
  /** Runs the bodies of registered functions, when it is asked. */
  readonly traceBody: TraceBody;
  /** What modules are called by what holds them. */
  readonly placeOf: ModuleNameOf;
  /** Modules that a name of the text holds, with the elements of their parameters where all are known. */
  readonly modules: ReadonlyMap<string, number | undefined>;
  /** The systems that it names, and those that it concerns otherwise. */
  readonly systems: readonly ReadingSystem[];
  /** That the text draws nothing, and why; a plan beside a graph never draws. */
  readonly nothingDrawn?: Diagnostic;
  /** What the lines of the text made, when it is asked. */
  readonly lines: () => ProgramLines;
  /** What another run would know from the start; absent when this one knew everything. */
  readonly memory?: Memory;
  /** How long rows of token ids could be that this run has assumed. */
  readonly rows?: TokenRows;
  /** How high and wide images are by the settings of its modules. */
  readonly imageSide?: number;
}

/** What the end of a run adds. */
type Ending = Pick<
  ProgramRun,
  "names" | "built" | "memory" | "rows" | "imageSide" | "traceBody" | "placeOf"
> & {
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Runs the text with the native words and the systems' modules around it.
 * @param as the system whose rules are used, whatever system the text is written in
 */
export function runProgram(
  source: string,
  memory: Memory,
  systems: readonly ReadingSystem[],
  shared: Shared = createShared(),
  as?: string,
): ProgramRun {
  const recorder = new Recorder(memory, shared.signatures);
  const bindings = hostBindings(recorder, source, systems, as);
  if (bindings.systems.followsAnnotations) recorder.trace.followsAnnotations = true;
  const setting = { recorder, memory, bindings, shared };
  const values = new StatementValues((value) => bindings.tensors.tensorOf(value));
  let ending: Ending | undefined;
  const host = hostOf(setting, source, values, (end) => {
    ending = end;
  });
  const { diagnostics, globals, steps } = evaluate(source, host, {
    recover: true,
    parse: shared.parse,
  });
  const { trace } = recorder;
  const known = ending ?? graphOf(trace, bindings, source);
  const isBroken = hasErrors(diagnostics);
  const isEmpty = trace.operators.length === 0 && !isBroken;
  if ([...globals.values()].some(({ kind }) => kind === "function" || kind === "class"))
    trace.choices.unshift(...callChoices(globals, bindings.classes.made, source, isEmpty));
  const calls = trace.choices.filter(({ group }) => group === "calls");
  const shown = [trace.tensors, trace.meshes, trace.layouts, trace.placedPieces];
  const isBlank = isEmpty && shown.every(({ length }) => length === 0);
  const isUnsaid = isBlank && trace.saysNothingDrawn !== true;
  const silent =
    isEmpty && (isUnsaid || calls.length > 0) ? nothingRuns(calls, globals) : undefined;
  const modules = modulesIn(globals, bindings, undecidedIn(diagnostics));
  const run = diagnostics.length === 0 ? [] : afterUnknown(diagnostics);
  const said = [...causesOnce(run.filter((each) => !isLeftOut(each, trace))), ...known.diagnostics];
  const isSaid = said.some(({ severity }) => severity !== "info");
  return {
    ...known,
    trace,
    steps,
    diagnostics: isSaid ? said : [...said, ...unsaidCounts(globals, bindings, modules)],
    ...(silent && { nothingDrawn: silent }),
    isBroken,
    variables: heldTensors(globals, (value) => bindings.tensors.tensorOf(value)),
    boundNames: new Set(globals.keys()),
    modules,
    lines: linesOnce(values, known),
    systems: bindings.systems.takingPart({ trace, source }),
  };
}

/** What is said of the same unknown value, or hook, at several places is said at the first one. */
function causesOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, message }) => {
    const isOnce = code === "document/unknown-value" || code === "document/backward-hook";
    const isNew = !isOnce || !said.has(message);
    said.add(message);
    return isNew;
  });
}

/** Whether a warning is of what follows a training step, which is not drawn. */
function isLeftOut({ severity, span }: Diagnostic, { leftOutFrom }: Trace): boolean {
  if (leftOutFrom === undefined || span === undefined) return false;
  return severity !== "error" && span.from >= leftOutFrom;
}

/** What a text runs in: the native words, the modules it may import, and notes of what it makes. */
function hostOf(
  setting: Setting,
  source: string,
  values: StatementValues,
  ended: (ending: Ending) => void,
): Host {
  const { recorder, bindings } = setting;
  const globals = new Map(outsideBindings(bindings.unknown));
  for (const [name, value] of bindings.modules.functions()) globals.set(name, value);
  const native = nativeBindings(recorder, bindings.tensors, bindings.systems);
  for (const [name, value] of native) globals.set(name, value);
  return {
    globals,
    importModule: (name, span, context) => bindings.modules.import(name, span, context),
    undefinedName: (name, span, context) => bindings.modules.undefinedName(name, span, context),
    readsLater: (name, span, context) =>
      context.report({
        code: "document/defined-later",
        severity: "warning",
        message: `"${name}" is defined further down: read as if it stood above`,
        span,
        upstream: "NameError",
      }),
    lackedAttribute: (value, name) => bindings.lacked(value, name),
    unknownBase: (base, names) => bindings.unknownBase(base, names),
    opened: (type) => bindings.open(type),
    isUnknown: (value) =>
      assumedOf(value) !== undefined || bindings.tensors.tensorOf(value)?.isUnknown === true,
    isUndecided: ({ code }) => code === "document/unknown-value",
    onUndecided: ({ span }, frames) =>
      span !== undefined && bindings.classes.made?.undecided.note(frames, span, source),
    recovers: ({ callee, receiver }) =>
      !recorder.isInBody &&
      !bindings.tensors.experts.areGrouped &&
      bindings.classes.made?.isLenient(callee, receiver) === true,
    recovered: (...left) => bindings.leftOut(...left),
    changed: (...left) => bindings.tensors.changeUnknown(...left),
    standInFor: (func) => (recorder.isInBody ? undefined : bindings.registered.made?.standIn(func)),
    onDefine: (value, span, context) => {
      const bound = bindings.registered.value.fromComment(value, span, context) ?? value;
      if (value.kind === "function" || value.kind === "class")
        bindings.define(value.name, bound, span);
      return bound === value ? undefined : bound;
    },
    onValue: (value, span) => {
      if (!recorder.isInBody) values.note(value, span);
    },
    onReplace: (replacement, context) => bindings.classes.made?.replace(replacement, context),
    onBind: (binding) => {
      bindings.bind(binding);
      const tensor = bindings.tensors.tensorOf(binding.value);
      if (tensor === undefined) return;
      // What a module holds is called by its path, whatever runs over its parameters.
      if (bindings.classes.made?.holds(tensor) !== true) recorder.bind(tensor, binding);
    },
    loopEnds: (span, context) => loopEnd(setting, span, context),
    onLoop: (...loop) => bindings.tensors.experts.watch(...loop),
    onEnd: (globals, context, value) => {
      bindings.drawUncalled(globals, value, context);
      ended(endOf(setting, globals, context));
    },
  };
}

/** Tells of a loop that begins whether it is over, after each of its rounds. */
function loopEnd({ recorder, bindings }: Setting, span: Span, context: Context): () => boolean {
  const { frames, source } = context;
  const isForward = ({ callee, receiver }: Frame) =>
    (callee.name === "forward" || callee.name === "construct") &&
    receiver !== undefined &&
    bindings.classes.made?.isModule(receiver) === true;
  const say = (why: string, rounds: number) =>
    context.report({
      ...{ code: "document/unknown-value", severity: "warning", span },
      message: `this loop ${why}: ${rounds === 1 ? "one round is" : `${rounds} rounds are`} drawn`,
    });
  const place = { trains: trains(source), isForward: frames.some(isForward), say };
  const { rounds, operators } = recorder.trace;
  return rounds.loop(source.slice(span.from, span.to), { ...place, operators });
}

/** Where the run asked what is not known: how often, or which way. */
function undecidedIn(diagnostics: readonly Diagnostic[]): readonly Span[] {
  return diagnostics.flatMap(({ code, span }) =>
    code === "document/unknown-value" && span !== undefined ? [span] : [],
  );
}

function modulesIn(
  globals: ReadonlyMap<string, Value>,
  { classes: { made: classes } }: HostBindings,
  undecided: readonly Span[],
): ReadonlyMap<string, number | undefined> {
  const found = new Map<string, number | undefined>();
  if (classes === undefined) return found;
  for (const [name, value] of globals) {
    // What a system wraps a module in holds it.
    const module = value.kind === "host" ? (value.data as Value | undefined) : value;
    if (classes.isModule(module)) found.set(name, classes.parameterCount(module, undecided));
  }
  return found;
}

/** Says of modules without a known number of parameters what they hold that is not read. */
function unsaidCounts(
  globals: ReadonlyMap<string, Value>,
  { classes: { made: classes } }: HostBindings,
  counts: ReadonlyMap<string, number | undefined>,
): readonly Diagnostic[] {
  if (classes === undefined) return [];
  return [...globals].flatMap(([name, value]): Diagnostic[] => {
    if (!classes.isModule(value) || counts.get(name) !== undefined) return [];
    const cause = classes.unreadIn(value);
    if (cause === undefined) return [];
    return [
      {
        code: "document/unknown-value",
        severity: "warning",
        message: `how many parameters "${name}" has is not known: it holds "${cause}", which is not read`,
        ...(value.type.nameSpan !== undefined && { span: value.type.nameSpan }),
      },
    ];
  });
}

/** What a program runs with. */
interface Setting {
  readonly recorder: Recorder;
  readonly memory: Memory;
  readonly bindings: HostBindings;
  readonly shared: Shared;
}

/** Policies run when the program has ended, against its graph. */
function endOf(
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

/** The graph of a program whose evaluation ended early. */
function graphOf(trace: Trace, bindings: HostBindings, source: string): Ending {
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

/** Notes which tensors functions make out of numbers for themselves, and which results modules hold. */
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
