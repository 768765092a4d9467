import type { Diagnostic, Span } from "#core/diagnostics";
import { matcherOf, type OperatorId } from "#core/ir";
import type { Training } from "#core/training";
import type { BuiltGraph } from "./build-graph.ts";
import type { Trace } from "./trace.ts";
import type { TracedTensor } from "./traced.ts";

/** What `train(…)` of a document asks for, in the names of its graph. */
export interface ReadTraining {
  readonly training?: Training;
  readonly diagnostics: readonly Diagnostic[];
}

/** The last `train(…)` of a text; earlier ones and what it cannot mean are said. */
export function readTraining(
  { training: calls }: Trace,
  { graph }: BuiltGraph,
  names: ReadonlyMap<TracedTensor, string>,
): ReadTraining {
  const call = calls.at(-1);
  if (call === undefined) return { diagnostics: [] };
  const nameOf = (target: TracedTensor | string) =>
    typeof target === "string" ? target : (names.get(target) ?? "");
  const loss = graph.tensors.find(({ name }) => name === nameOf(call.loss));
  const diagnostics: Diagnostic[] = [...calls.slice(0, -1).map(({ span }) => notTheLast(span))];
  if (loss === undefined || loss.producer === undefined) {
    return { diagnostics: [...diagnostics, noLoss(nameOf(call.loss), call.span)] };
  }
  const recompute = new Set<OperatorId>();
  for (const target of call.recompute.map(nameOf)) {
    const matches = matcherOf(target);
    const found = graph.operators.filter(({ name }) => matches(name));
    if (found.length === 0) diagnostics.push(nothingToRecompute(target, call.span));
    for (const { id } of found) recompute.add(id);
  }
  const { optimizer, numbers, microbatches, zero, policy, span } = call;
  return {
    training: { loss: loss.id, optimizer, numbers, microbatches, zero, recompute, ...policy, span },
    diagnostics,
  };
}

function notTheLast(span: Span): Diagnostic {
  return {
    code: "document/second-train",
    severity: "warning",
    message: "another train() follows: only the last one counts",
    span,
  };
}

function noLoss(name: string, span: Span): Diagnostic {
  return {
    code: "document/no-such-tensor",
    severity: "error",
    message: `train() differentiates a result of an operator, and "${name}" is none`,
    span,
  };
}

function nothingToRecompute(target: string, span: Span): Diagnostic {
  return {
    code: "document/no-such-operator",
    severity: "error",
    message: `no operator is called "${target}", so nothing is computed again`,
    span,
  };
}
