import type { Diagnostic, Span } from "#core/diagnostics";
import type { Operator, TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { BuiltGraph } from "#language/document/graph";
import type { Trace, TracedOperator } from "#language/document/trace";
import type { SearchEdge, SearchOperator } from "../search/search-graph.ts";
import { searchedStrategies } from "../search/searched-strategies.ts";
import { modelCall } from "./model-call.ts";
import { parallelSetting } from "./parallel-mode.ts";

/** More choices than this are counted, not listed. */
const mostListed = 6;

/**
 * What MindSpore's own search would choose under the mode of the text, for operators without a
 * strategy: a note at `AutoParallel(…)`, beside which the plan that is drawn follows its operands.
 */
export function searchNotes(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
): readonly Diagnostic[] {
  const found = searchChoice(trace, built, mesh);
  if (found === undefined) return unknownChoice(trace, built, mesh);
  const { mode, span, chosen } = found;
  // A context stands in a whole MindSpore program, whose strategies its search will decide.
  const isContext = parallelSetting(trace)?.devices !== undefined;
  const texts = chosen.map(({ name, text }) => `"${name}" ${text}`);
  const more = chosen.length > mostListed ? ` and ${chosen.length - mostListed} more` : "";
  return [
    {
      code: "mindspore/search-choice",
      severity: isContext ? "warning" : "info",
      message: `${mode} of MindSpore would choose ${texts.slice(0, mostListed).join(", ")}${more}; what is drawn follows the operands instead: write a choice with .shard(…)`,
      span,
    },
  ];
}

/** Says of a whole program under a search that what it would choose could not be told. */
function unknownChoice(trace: Trace, built: BuiltGraph, mesh: DeviceMesh): readonly Diagnostic[] {
  const { mode, span, devices } = parallelSetting(trace) ?? {};
  const isOpen = [...built.operatorOf.keys()].some(({ strategy }) => strategy === undefined);
  const isSearched = mode === "sharding_propagation" || mode === "recursive_programming";
  if (!isSearched || !isOpen || devices === undefined || span === undefined) return [];
  if (mesh.devices.length === 1) return [];
  const message = `what ${mode} of MindSpore would choose for operators without a strategy is not known here: what is drawn follows the operands`;
  return [{ code: "mindspore/search-unknown", severity: "warning", message, span }];
}

/** What a mode of MindSpore would choose for the operators that the text leaves open. */
export interface SearchChoice {
  readonly mode: string;
  readonly span: Span;
  /** By the operator's name, as `.shard(…)` would be given it. */
  readonly chosen: readonly { readonly name: string; readonly text: string }[];
}

/** The choice of the text's mode; none without a mode that searches, and where nothing is open. */
export function searchChoice(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
): SearchChoice | undefined {
  const parallel = parallelSetting(trace);
  if (parallel === undefined) return undefined;
  const devices = mesh.devices.length;
  const operators = [...built.operatorOf].flatMap(([traced, operator]) =>
    searchOperator(traced, operator, devices),
  );
  const isOpen = ({ strategies }: SearchOperator) => strategies === undefined;
  if (devices === 1 || !operators.some(isOpen)) return undefined;
  const graph = { operators, edges: edgesIn(built.graph.operators) };
  const found = searchedStrategies(parallel.mode, graph, devices);
  if (found === undefined) return undefined;
  const chosen = operators
    .filter(isOpen)
    .map(({ name }) => ({ name, text: written(found.get(name) ?? []) }));
  return { mode: parallel.mode, span: parallel.span, chosen };
}

/** An operator of the search; one whose rule is not known, or that has layouts, is none. */
function searchOperator(
  traced: TracedOperator,
  { name }: Operator,
  devices: number,
): readonly SearchOperator[] {
  const call = traced.op === "Reshape" ? undefined : modelCall(traced, devices);
  if (call === undefined || traced.strategy?.kind === "layouts") return [];
  const { strategy } = traced;
  return [{ name, call, ...(strategy !== undefined && { strategies: strategy.values }) }];
}

function edgesIn(operators: readonly Operator[]): readonly SearchEdge[] {
  const makers = new Map<TensorId, string>(
    operators.flatMap(({ name, outputs }) =>
      outputs.slice(0, 1).map(({ tensor }) => [tensor, name]),
    ),
  );
  return operators.flatMap(({ name, inputs }) =>
    inputs.flatMap(({ tensor }, input): SearchEdge[] => {
      const from = makers.get(tensor);
      return from === undefined ? [] : [{ from, to: name, input }];
    }),
  );
}

/** A strategy as Python writes it. */
function written(strategies: readonly (readonly number[])[]): string {
  const tuple = (items: readonly (number | string)[]) =>
    `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
  return tuple(strategies.map(tuple));
}
