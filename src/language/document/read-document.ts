import type { Diagnostic } from "#core/diagnostics";
import type { Graph, OperatorId } from "#core/ir";
import type { Requests } from "#core/plan";
import { type Argument, type Context, evaluate, type Host } from "#language/python";
import { assumedShapes, meetShapes, requireDivisors } from "./assume.ts";
import { type BuiltGraph, buildGraph } from "./build-graph.ts";
import { type DocumentMesh, documentMesh } from "./document-mesh.ts";
import { mindsporePlans, readTuples } from "./mindspore-plans.ts";
import { nameTensors } from "./names.ts";
import { Recorder } from "./recorder.ts";
import { readRequests } from "./requests.ts";
import type { StrategyCall, Trace, TracedTensor } from "./trace.ts";
import { layoutClass } from "./words/layouts.ts";
import { MindsporeWords } from "./words/mindspore.ts";
import { Modules } from "./words/modules.ts";
import { nativeWords } from "./words/native.ts";
import { RegisteredWords } from "./words/registered.ts";
import { TensorWords } from "./words/tensors.ts";

/** A program text as a graph with what it asks for: the reading of design.md §2. */
export interface Document {
  readonly source: string;
  readonly graph: Graph;
  readonly mesh: DocumentMesh;
  readonly requests: Requests;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the text says what: for edits. */
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly strategyCalls: ReadonlyMap<OperatorId, StrategyCall>;
  /** Tensors that a name of the module still holds at the end. */
  readonly variables: ReadonlyMap<string, TracedTensor>;
  /** Every name that the module binds. */
  readonly boundNames: ReadonlySet<string>;
}

/**
 * Reads a program text leniently: what is well formed stands, what is missing is assumed and said,
 * and every fault is a diagnostic at its place.
 */
export function readDocument(source: string): Document {
  const { trace, diagnostics, variables, boundNames } = runProgram(source);
  const names = nameTensors(trace.tensors, trace.operators);
  const met = meetShapes(trace, names);
  requireDivisors(trace, names);
  const built = buildGraph(trace, names, source);
  const tuples = readTuples(built);
  const mesh = documentMesh(
    trace,
    tuples.cuts.map(({ matrix }) => matrix),
  );
  const placed = mindsporePlans(built, tuples.cuts, mesh.mesh);
  const read = readRequests(trace, built, mesh.mesh, names, placed.plans);
  return {
    source,
    graph: built.graph,
    mesh,
    requests: read.requests,
    strategyCalls: read.strategyCalls,
    trace,
    built,
    variables,
    boundNames,
    diagnostics: [
      ...diagnostics,
      ...trace.diagnostics,
      ...met,
      ...built.diagnostics,
      ...tuples.diagnostics,
      ...mesh.diagnostics,
      ...placed.diagnostics,
      ...read.diagnostics,
      ...assumedShapes(built, source),
    ],
  };
}

/** Runs the text with the native words and the systems' modules around it. */
function runProgram(source: string): {
  readonly trace: Trace;
  readonly diagnostics: readonly Diagnostic[];
  readonly variables: ReadonlyMap<string, TracedTensor>;
  readonly boundNames: ReadonlySet<string>;
} {
  const recorder = new Recorder();
  const tensors = new TensorWords(recorder);
  const registered = new RegisteredWords(recorder, tensors);
  const mindspore = new MindsporeWords(tensors, layoutClass(recorder));
  const modules = new Modules(tensors, registered, mindspore);
  const host: Host = {
    globals: new Map([...modules.functions(), ...nativeWords(recorder, tensors)]),
    importModule: (name, span, context) => modules.import(name, span, context),
    undefinedName: (name, span, context) => modules.undefinedName(name, span, context),
    onDefine: (value, span, context) => registered.fromComment(value, span, context),
    onBind: (binding) => {
      const tensor = tensors.tensorOf(binding.value);
      if (tensor !== undefined) recorder.bind(tensor, binding);
    },
    onEnd: (_globals, context) => {
      registered.drawUncalled(context);
      drawCells(mindspore, registered, context);
    },
  };
  const { diagnostics, globals } = evaluate(source, host, { recover: true });
  const held = [...globals].flatMap(([name, value]): [string, TracedTensor][] => {
    const tensor = tensors.tensorOf(value);
    return tensor === undefined ? [] : [[name, tensor]];
  });
  return {
    trace: recorder.trace,
    diagnostics,
    variables: new Map(held),
    boundNames: new Set(globals.keys()),
  };
}

/** A Cell that the program makes but never calls is drawn on inputs named like its parameters. */
function drawCells(mindspore: MindsporeWords, registered: RegisteredWords, context: Context): void {
  for (const made of mindspore.cells.filter(
    ({ called, insideAnother }) => !called && !insideAnother,
  )) {
    const method = context.attempt(() =>
      context.getAttribute(made.cell, "construct", made.cell.type.nameSpan ?? { from: 0, to: 0 }),
    );
    const construct = method?.kind === "method" ? method.callee : undefined;
    if (method === undefined || construct?.kind !== "function") continue;
    const args = construct.parameters
      .slice(1)
      .filter(({ kind, defaultTree }) => kind === "positional" && defaultTree === undefined)
      .map(
        (parameter): Argument => ({
          value: registered.assumedInput(parameter.name, parameter.span, context),
          span: parameter.span,
        }),
      );
    context.attempt(() => context.call(method, args, construct.nameSpan));
  }
}
