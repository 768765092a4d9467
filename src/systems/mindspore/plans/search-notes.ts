import { product } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { BuiltGraph } from "#language/document/graph";
import {
  shapeOf,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import { primitiveName } from "../emitted/primitive-name.ts";
import { isTransparent } from "../emitted/transparent.ts";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import type {
  Cuts,
  FedInput,
  Found,
  SearchEdge,
  SearchGraph,
  SearchOperator,
  SharedParameter,
} from "../search/search-graph.ts";
import { searchedStrategies } from "../search/searched-strategies.ts";
import { modelCall, writtenStrategy } from "./model-call.ts";
import { parallelSetting, searching } from "./parallel-mode.ts";
import { placedInputs } from "./placed-inputs.ts";
import { refuse } from "./reduced-plan.ts";

/** Maximum number of choices that are listed; further ones are counted. */
const mostListed = 6;

/**
 * Notes the strategies that MindSpore's search would choose for operators without one, at
 * `AutoParallel(…)`: the drawn plan follows the operands instead.
 */
export function searchNotes(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
): readonly Diagnostic[] {
  const found = searchChoice(trace, built, mesh);
  if (found === undefined) return unknownChoice(trace, built, mesh);
  const { mode, span, chosen, reshard, fault } = found;
  if (fault !== undefined) return [refusedSearch(found, built, fault)];
  // With a context the text is a whole MindSpore program, whose strategies the search will decide.
  const isContext = parallelSetting(trace)?.devices !== undefined;
  const texts = chosen.map(({ name, text }) => `"${name}" ${text}`);
  const more = chosen.length > mostListed ? ` and ${chosen.length - mostListed} more` : "";
  const why = reshard === undefined ? "" : "in a net that calls reshard(), ";
  return [
    {
      code: "mindspore/search-choice",
      severity: isContext ? "warning" : "info",
      message: `${why}${mode} of MindSpore would choose ${texts.slice(0, mostListed).join(", ")}${more}; what is drawn follows the operands instead: write a choice with .shard(…)`,
      span,
    },
  ];
}

/** MindSpore's refusal while it searches, at the operator concerned. */
function refusedSearch(
  { mode, span }: SearchChoice,
  { operatorOf }: BuiltGraph,
  { name, message }: NonNullable<Found["fault"]>,
): Diagnostic {
  const [traced] = [...operatorOf].find(([, operator]) => operator.name === name) ?? [];
  return refuse(traced?.strategy?.span ?? traced?.span ?? span, `${mode}: ${message}`);
}

/** Reports that the choice of a search is not known for the program. */
function unknownChoice(trace: Trace, built: BuiltGraph, mesh: DeviceMesh): readonly Diagnostic[] {
  const { mode, span, devices, isSearched } = searching(trace) ?? {};
  const isOpen = [...built.operatorOf.keys()].some(
    (traced) => traced.strategy === undefined && isSearched?.(traced) === true,
  );
  if (!isOpen || devices === undefined || span === undefined) return [];
  if (mesh.devices.length === 1) return [];
  const message = `what ${mode} of MindSpore would choose for operators without a strategy is not known here: what is drawn follows the operands`;
  return [{ code: "mindspore/search-unknown", severity: "warning", message, span }];
}

/** The choices of a search mode for operators without a strategy. */
export interface SearchChoice {
  readonly mode: string;
  readonly span: Span;
  /** The `reshard` that triggers the search. */
  readonly reshard?: TracedOperator;
  /** Choices by the operator's name, as an argument of `.shard(…)`. */
  readonly chosen: readonly { readonly name: string; readonly text: string }[];
  /** What is chosen by traced operator. */
  readonly strategies: ReadonlyMap<TracedOperator, WrittenStrategy>;
  /** Why MindSpore refuses the net while it searches. */
  readonly fault?: Found["fault"];
}

/**
 * The choices of the text's mode; `undefined` if the mode does not search or every operator has a
 * strategy.
 */
export function searchChoice(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
): SearchChoice | undefined {
  const parallel = searching(trace);
  if (parallel === undefined) return undefined;
  const devices = mesh.devices.length;
  const operators = [...built.operatorOf].flatMap(([traced, operator]) =>
    parallel.isSearched(traced) ? searchOperator(traced, operator, devices) : [],
  );
  const isOpen = ({ written }: SearchOperator) => written === undefined;
  if (devices === 1 || !operators.some(isOpen)) return undefined;
  const searched = new Map(operators.map(({ name, call }) => [name, tensorInputs(call)]));
  const placed = placedInputs(trace, built, devices);
  const flows = flowsIn(built, searched, placed, devices);
  const graph = { operators: [...placed.values(), ...operators], ...flows };
  const found = searchedStrategies(parallel.mode, graph, devices);
  if (found === undefined) return undefined;
  const isChosen = (operator: SearchOperator) => isOpen(operator) && operator.made === undefined;
  const chosen = operators
    .filter(isChosen)
    .map(({ name }) => ({ name, text: written(found.strategies.get(name)?.strategies ?? []) }));
  const strategies = new Map(
    [...built.operatorOf].flatMap(([traced, { name }]) => {
      const own = traced.strategy === undefined ? found.strategies.get(name) : undefined;
      if (own === undefined) return [];
      const asked = own.written ?? { kind: "tuples" as const, inputs: own.strategies };
      return [[traced, asked] as const];
    }),
  );
  const { mode, span, reshard } = parallel;
  return {
    ...{ mode, span, chosen, strategies },
    ...(reshard !== undefined && { reshard }),
    ...(found.fault && { fault: found.fault }),
  };
}

/**
 * An operator in the form of the search; empty for an operator without a known rule, and for a
 * Reshape that changes nothing.
 */
function searchOperator(
  traced: TracedOperator,
  { name }: Operator,
  devices: number,
): readonly SearchOperator[] {
  const op = primitiveName(traced);
  const isReshape = op === "Reshape";
  const call = modelCall({ ...traced, op: isReshape ? "ReLU" : op }, devices);
  if (call === undefined) return [];
  if (isReshape) {
    const [made] = traced.outputs;
    if (made === undefined || isTransparent(traced)) return [];
    const shapes = call.shapes.slice(0, 1);
    return [{ name, call: { ...call, op, shapes, attributes: {} }, made: shapeOf(made) }];
  }
  const written = traced.strategy && op !== "Cast" && writtenStrategy(traced.strategy);
  const isByRows = call.attributes.strategy_gen_mode === "data_parallel";
  return [{ name, call, ...(written && { written }), ...(isByRows && { isByRows }) }];
}

/** The indices of a call's inputs that are tensors with dims; numbers and scalars are skipped. */
function tensorInputs({ shapes, numbers = [] }: SearchOperator["call"]): readonly number[] {
  return shapes.flatMap(({ length }, at) => (length === 0 || numbers.includes(at) ? [] : [at]));
}

/** Where a tensor comes from: a result of an operator, the dataset, or a parameter. */
interface Source {
  readonly from: string | MappedTensor;
  readonly output?: number;
}

/** The edges between operators, from the dataset to operators, and from shared parameters. */
function flowsIn(
  { graph: { operators }, operatorOf, tracedBy }: BuiltGraph,
  searched: ReadonlyMap<string, readonly number[]>,
  placed: ReadonlyMap<string, SearchOperator>,
  devices: number,
): Pick<SearchGraph, "edges" | "fed" | "shared"> {
  const sources = new Map<string, Source>();
  const readers = new Map<string, SharedParameter["readers"]>();
  for (const [name, tensor] of tracedBy) {
    const layout = fedLayout(tensor, devices);
    const own = placed.get(name);
    if (own !== undefined) sources.set(name, { from: own.name });
    else if (layout !== undefined) sources.set(name, { from: layout });
    else if (tensor.role === "parameter") readers.set(name, []);
  }
  const edges: SearchEdge[] = [];
  const fed: FedInput[] = [];
  const passing = new Set(
    [...operatorOf].flatMap(([traced, { name }]) => (isTransparent(traced) ? [name] : [])),
  );
  for (const { name, inputs, outputs } of operators) {
    const places = searched.get(name);
    const [made] = outputs;
    const before = sources.get(inputs[0]?.tensor ?? "");
    if (places === undefined && passing.has(name) && made && before)
      sources.set(made.tensor, before);
    if (places === undefined) continue;
    for (const [output, { tensor }] of outputs.entries())
      sources.set(tensor, { from: name, output });
    for (const [at, { tensor }] of inputs.entries()) {
      const to = { to: name, input: places[at] ?? at };
      const { from, output = 0 } = sources.get(tensor) ?? {};
      readers.set(tensor, [...(readers.get(tensor) ?? []), to]);
      if (typeof from === "string") edges.push({ from, output, ...to });
      else if (from !== undefined) fed.push({ ...to, layout: from });
    }
  }
  return { edges, fed, shared: sharedParameters(tracedBy, readers) };
}

/** The parameters that several inputs of operators read. */
function sharedParameters(
  tracedBy: BuiltGraph["tracedBy"],
  readersOf: ReadonlyMap<string, SharedParameter["readers"]>,
): readonly SharedParameter[] {
  return [...tracedBy].flatMap(([name, tensor]) => {
    const readers = readersOf.get(name) ?? [];
    const isShared = tensor.role === "parameter" && tensor.fed === undefined && readers.length > 1;
    return isShared ? [{ name, shape: shapeOf(tensor), readers }] : [];
  });
}

/** The dataset's layout of a fed tensor: in the pieces in which it is fed, or whole. */
function fedLayout({ fed, ...tensor }: TracedTensor, devices: number): MappedTensor | undefined {
  if (fed === undefined) return undefined;
  const used = product(fed);
  const cut = fed.findIndex((pieces) => pieces > 1);
  const deviceMatrix = cut < 0 ? [devices] : [used, devices / used];
  return {
    deviceMatrix,
    tensorMap: fed.map((_, dim) => (dim === cut ? 1 : -1)),
    shape: shapeOf(tensor),
  };
}

/** A strategy as Python text. */
function written(strategies: Cuts): string {
  const tuple = (items: readonly (number | string)[]) =>
    `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
  return tuple(strategies.map(tuple));
}
