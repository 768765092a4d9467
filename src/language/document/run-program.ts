import { type Diagnostic, hasErrors, type Span } from "#core/diagnostics";
import {
  type Binding,
  type Context,
  evaluate,
  type Frame,
  type Host,
  type Value,
} from "#language/python";
import { assumedOf } from "./bindings/assumed.ts";
import { callChoices, nothingRuns } from "./bindings/entries.ts";
import { type HostBindings, hostBindings } from "./bindings/host-bindings.ts";
import { nativeBindings, outsideBindings } from "./bindings/native.ts";
import { type Ending, endOf, graphOf, type Setting } from "./program-end.ts";
import { linesOnce, type ProgramLines, StatementValues } from "./program-lines.ts";
import type { ReadingSystem } from "./system.ts";
import { afterUnknown } from "./trace/after-unknown.ts";
import { createShared, type Memory, type Shared } from "./trace/memory.ts";
import { Recorder } from "./trace/recorder.ts";
import { trains } from "./trace/repeated-rounds.ts";
import type { Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";
import { heldTensors } from "./variable-names.ts";

/** What one run of a program left behind, with its graph. */
export interface ProgramRun extends Ending {
  readonly trace: Trace;
  /** Number of evaluator steps of the run. */
  readonly steps: number;
  /** Whether a statement failed, so that names may be missing through no fault of their own. */
  readonly isBroken: boolean;
  /** Tensors that a name of the module still holds at the end. */
  readonly variables: ReadonlyMap<string, TracedTensor>;
  /** Every name that the module binds. */
  readonly boundNames: ReadonlySet<string>;
  /** Modules that a name of the text holds, with the elements of their parameters where all are known. */
  readonly modules: ReadonlyMap<string, number | undefined>;
  /** The systems that it names, and those that it concerns otherwise. */
  readonly systems: readonly ReadingSystem[];
  /** That the text draws nothing, and why; a plan beside a graph never draws. */
  readonly nothingDrawn?: Diagnostic;
  /** What each line of the text made, computed on demand. */
  readonly lines: () => ProgramLines;
}

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

/**
 * Unknown values and hooks that cause the same message at several places are reported at the first
 * place.
 */
function causesOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, message }) => {
    const isOnce = code === "document/unknown-value" || code === "document/backward-hook";
    const isNew = !isOnce || !said.has(message);
    said.add(message);
    return isNew;
  });
}

/** Whether a warning is of what follows a training step, which is not drawn; a refused type is none. */
function isLeftOut({ severity, span, upstream }: Diagnostic, { leftOutFrom }: Trace): boolean {
  if (leftOutFrom === undefined || span === undefined || upstream === "RuntimeError") return false;
  return severity !== "error" && span.from >= leftOutFrom;
}

/**
 * The host of a run: the native words, the modules that the text may import, and notes of the
 * values that it makes.
 */
function hostOf(
  setting: Setting,
  source: string,
  values: StatementValues,
  ended: (ending: Ending) => void,
): Host {
  const { recorder, bindings } = setting;
  return {
    globals: globalsOf(setting),
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
    unknownBase: (base, names, isAdded) => bindings.unknownBase(base, names, isAdded),
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
    onBind: (binding) => noteBinding(setting, binding),
    loopEnds: (span, context) => loopEnd(setting, span, context),
    onLoop: (...loop) => bindings.tensors.experts.watch(...loop),
    onEnd: (globals, context, value) => {
      bindings.drawUncalled(globals, value, context);
      ended(endOf(setting, globals, context));
    },
  };
}

/** The names that every text has: words of systems by modules, and the native ones. */
function globalsOf({ recorder, bindings }: Setting): Map<string, Value> {
  const globals = new Map(outsideBindings(bindings.unknown));
  for (const [name, value] of bindings.modules.functions()) globals.set(name, value);
  const native = nativeBindings(recorder, bindings.tensors, bindings.systems);
  for (const [name, value] of native) globals.set(name, value);
  return globals;
}

/**
 * Names a tensor after the variable that it is bound to. A tensor of a module is named by its path
 * in the module, whatever variable runs over the parameters.
 */
function noteBinding({ recorder, bindings }: Setting, binding: Binding): void {
  bindings.bind(binding);
  const tensor = bindings.tensors.tensorOf(binding.value);
  if (tensor === undefined) return;
  if (bindings.classes.made?.holds(tensor) !== true) recorder.bind(tensor, binding);
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

/**
 * Places where the run depended on an unknown value: how often a loop runs, or which branch is
 * taken.
 */
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
    // A system's wrapper object stands for the module inside it.
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
