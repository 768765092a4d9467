import { planIntoText, plannedCosts, planQuestion, unpricedPart } from "#compile";
import { modelOf } from "#core/cost";
import { type Checked, type Diagnostic, failed, hasErrors, passed } from "#core/diagnostics";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import {
  type DeviceMesh,
  type Layout,
  parseLayout,
  printLayout,
  printPart,
  wholeAxis,
} from "#core/mesh";
import type { Strategy } from "#core/plan";
import { type Document, readDocument } from "#language/document";
import {
  type Optimized,
  optimize,
  PlannerMemory,
  type PlanRequest,
  patternsOf,
  patternText,
  reasonsOf,
} from "#planner";
import { isLoomText } from "#systems/loom";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { instanceAnswer } from "./instance-request.ts";
import { readPlatform } from "./platform-request.ts";

/** `optimize`: the cheapest plan of a program under a cost model (commands.md). */
export function optimizeAnswer(args: Arguments): Answer {
  const { program, hardware, instance } = args;
  if (instance !== undefined) return instanceAnswer(args);
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const platform = hardware === undefined ? undefined : readPlatform(hardware);
  if (platform?.ok === false) return { ok: false, diagnostics: platform.diagnostics };
  if (isLoomText(program)) {
    return {
      ok: false,
      diagnostics: [fault("planner/unpriced", "LoomGraphs are not planned yet")],
    };
  }
  const document = readDocument(program, platform?.value);
  if (hasErrors(document.diagnostics)) return { ok: false, diagnostics: document.diagnostics };
  const request = planRequestOf(document, args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const own = request.value.model === undefined;
  const measure = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts });
  const memory = new PlannerMemory();
  const outcome = optimize(request.value, { memory, ...(own && { measure }) });
  if (outcome.ok) {
    const rows = rowsOf(outcome.value, request.value);
    const reasons = reasonRows(document, request.value, outcome.value, memory);
    const { program: text, notes } = textOf(document, outcome.value);
    const diagnostics = [...document.diagnostics, ...notes];
    return {
      ok: true,
      ...rows,
      reasons,
      ...(text !== undefined && { program: text }),
      diagnostics,
    };
  }
  const { diagnostic, leastBytes } = outcome;
  return {
    ok: false,
    code: diagnostic.code,
    ...(leastBytes !== undefined && { minimum: leastBytes }),
    diagnostics: [...document.diagnostics, diagnostic],
  };
}

/** The text with the plan written in; a text that has no words for it is a note. */
function textOf(document: Document, { strategies, layouts }: Optimized) {
  const text = planIntoText(document, { strategies, ...layouts });
  if (text.ok) return { program: text.source, notes: text.notes };
  return { notes: [{ ...text.diagnostic, severity: "warning" } as const] };
}

/** What a planner is asked by a document and the arguments of a request. */
export function planRequestOf(document: Document, args: Arguments): Checked<PlanRequest> {
  const { graph, mesh, training } = document;
  const standing = planQuestion(document, { freesPlaces: false });
  const unpriced = args.model === undefined ? unpricedPart(document) : undefined;
  if (unpriced !== undefined) return failed(fault("planner/unpriced", unpriced));
  const pins = readPins(args.pins ?? {}, graph, mesh.mesh);
  if (!pins.ok) return pins;
  const ends = readEnds(args.outputs ?? {}, graph, mesh.mesh);
  if (!ends.ok) return ends;
  const { hardware } = standing;
  const model =
    args.model === undefined ? undefined : modelOf(String(args.model), hardware, mesh.mesh);
  if (model?.ok === false) return model;
  const { memoryLimit, partials, forbid, redundant, uneven } = args;
  return passed({
    graph,
    mesh: standing.mesh,
    hardware,
    ...(model !== undefined && { model: model.value }),
    placements: standing.placements,
    pins: new Map([...standing.pins, ...pins.value]),
    ends: ends.value,
    ...(training !== undefined && { training }),
    ...limitOf(memoryLimit, args.model === undefined ? hardware.memoryBytes : undefined),
    ...((partials === "flow" || partials === "reduce") && { partials }),
    ...(Array.isArray(forbid) && { forbid }),
    ...(typeof redundant === "boolean" && { redundant }),
    ...(typeof uneven === "boolean" && { uneven }),
  });
}

/** The limit that is asked for, else what there is: the product's own plans fit their devices. */
function limitOf(asked: unknown, there: number | undefined): Pick<PlanRequest, "memoryLimit"> {
  const limit = typeof asked === "number" ? asked : there;
  return limit === undefined || !Number.isFinite(limit) ? {} : { memoryLimit: limit };
}

function readPins(
  given: unknown,
  graph: Graph,
  mesh: DeviceMesh,
): Checked<ReadonlyMap<OperatorId, Strategy>> {
  const pins = new Map<OperatorId, Strategy>();
  if (typeof given !== "object" || given === null) return failed(noPins());
  for (const [name, cuts] of Object.entries(given)) {
    const operator = graph.operators.find((each) => each.name === name);
    if (operator === undefined) {
      return failed(fault("pin-conflict", `there is no operator "${name}" to pin`));
    }
    if (!isCuts(cuts)) return failed(noPins());
    const unknown = Object.values(cuts)
      .flat()
      .find((axis) => mesh.axes.every((each) => each.name !== axis));
    if (unknown !== undefined) {
      return failed(fault("pin-conflict", `"${name}" is pinned to "${unknown}", no mesh axis`));
    }
    const parts = Object.entries(cuts).map(([identifier, axes]) => {
      return [identifier, axes.map((axis) => wholeAxis(mesh, axis))] as const;
    });
    pins.set(operator.id, { cuts: Object.fromEntries(parts), carry: [] });
  }
  return passed(pins);
}

function isCuts(given: unknown): given is Readonly<Record<string, readonly string[]>> {
  if (typeof given !== "object" || given === null) return false;
  return Object.values(given).every(
    (axes) => Array.isArray(axes) && axes.every((axis) => typeof axis === "string"),
  );
}

function noPins(): Diagnostic {
  return fault("cli/bad-request", '"pins" gives of operators the lists of axes by identifier');
}

function readEnds(
  given: unknown,
  graph: Graph,
  mesh: DeviceMesh,
): Checked<ReadonlyMap<TensorId, Layout>> {
  const ends = new Map<TensorId, Layout>();
  if (typeof given !== "object" || given === null) {
    return failed(fault("cli/bad-request", '"outputs" gives layouts by the names of results'));
  }
  for (const [name, text] of Object.entries(given)) {
    const tensor = graph.tensors.find((each) => each.name === name);
    if (tensor === undefined) return failed(fault("cli/bad-request", `there is no "${name}"`));
    const layout = parseLayout(String(text), mesh);
    if (!layout.ok) return layout;
    if (layout.value.dims.length !== tensor.shape.length) {
      const message = `"${name}" has ${tensor.shape.length} dims, not those of ${String(text)}`;
      return failed(fault("cli/bad-request", message));
    }
    ends.set(tensor.id, layout.value);
  }
  return passed(ends);
}

/** By what part of the bound the plan is above it; of the plan where nothing is known. */
function gapOf(seconds: number, bound: number): number {
  if (seconds <= bound) return 0;
  return (seconds - bound) / (bound > 0 ? bound : seconds);
}

function rowsOf(found: Optimized, request: PlanRequest) {
  const { graph, mesh, model } = request;
  const { seconds, bound, communication, bytes, strategies, layouts, collectives } = found;
  const names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const rows = [...layouts.rest, ...layouts.ends].map(
    ([id, layout]) => [names.get(id) ?? id, printLayout(layout)] as const,
  );
  const kinds = ["slice", "all-gather", "reduce-scatter", "all-reduce", "all-to-all"] as const;
  return {
    model: model?.name ?? "shardboard",
    objective: seconds,
    bound,
    gap: gapOf(seconds, bound),
    strategies: Object.fromEntries(
      graph.operators.map(({ id, name }) => [name, cutsOf(strategies.get(id), mesh)]),
    ),
    layouts: Object.fromEntries(rows),
    collectives: Object.fromEntries(
      [...kinds, "collective-permute"].map((kind) => [kind, collectives.get(kind) ?? 0]),
    ),
    cost: { seconds, compute: seconds - communication, communication },
    memory: bytes,
    ...patternRow(found, request),
  };
}

/** Why each operator is cut as it is, equal ones in one row (`Reason`). */
function reasonRows(
  document: Document,
  request: PlanRequest,
  { strategies, layouts }: Optimized,
  memory: PlannerMemory,
) {
  const { model, memoryLimit, mesh } = request;
  const refusal = (others: Optimized["strategies"]) => {
    const { bytes } = plannedCosts(document, { strategies: others, ...layouts });
    const more = bytes - (memoryLimit ?? Number.POSITIVE_INFINITY);
    return more > 0 ? `it takes ${more} bytes more than a device has` : undefined;
  };
  const given = { strategies, rest: layouts.rest };
  const reasons = reasonsOf(request, given, model === undefined ? { refusal } : {}, memory);
  return reasons.map(({ chosen, rival, ...reason }) => ({
    ...reason,
    chosen: cutsOf(chosen, mesh),
    ...(rival !== undefined && { rival: cutsOf(rival, mesh) }),
  }));
}

/** What a plan is called, where it has a name. */
function patternRow(
  { strategies, layouts }: Optimized,
  { graph, mesh, training, model }: PlanRequest,
) {
  // Models of single-axis steps choose the layout at rest themselves (planner-plain.md §9).
  const zero = model === undefined ? (training?.zero ?? 0) : 0;
  const patterns = patternsOf({ graph, mesh, strategies, rest: layouts.rest, zero });
  const pattern = patternText(patterns, mesh);
  return pattern === undefined ? {} : { pattern };
}

function cutsOf(strategy: Strategy | undefined, mesh: DeviceMesh) {
  const cuts = Object.entries(strategy?.cuts ?? {}).filter(([, parts]) => parts.length > 0);
  return Object.fromEntries(
    cuts.map(([name, parts]) => [name, parts.map((part) => printPart(mesh, part))]),
  );
}

function fault(code: string, message: string): Diagnostic {
  return { code, severity: "error", message };
}
