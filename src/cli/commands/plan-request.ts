import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, parseLayout, wholeAxis } from "#core/mesh";
import type { Strategy } from "#core/plan";
import { planQuestion, unpricedPart } from "#edit";
import type { Document } from "#language/document";
import type { PlanRequest } from "#planner";
import { costModelOf } from "#systems";
import type { Arguments } from "./answer.ts";
import { readSearchOptions } from "./optimize-options.ts";

/** The planner's request for a document and a command's arguments. */
export function planRequestOf(document: Document, args: Arguments): Checked<PlanRequest> {
  const { graph, mesh, training } = document;
  const options = readSearchOptions(args);
  if (!options.ok) return options;
  const { memoryLimit, freed, ...search } = options.value;
  const unpriced = args.model === undefined ? unpricedPart(document) : undefined;
  if (unpriced !== undefined) return failed(unpricedFault(unpriced));
  const unasked = unmetOption(search, document, args);
  if (unasked !== undefined) return failed(unasked);
  const standing = planQuestion(document, { freesPlaces: freed.placements });
  const pins = readPins(args.pins ?? {}, graph, mesh.mesh);
  if (!pins.ok) return pins;
  const ends = readEnds(args.outputs ?? {}, graph, mesh.mesh);
  if (!ends.ok) return ends;
  const { hardware } = standing;
  const model =
    args.model === undefined ? undefined : costModelOf(String(args.model), hardware, mesh.mesh);
  if (model?.ok === false) return model;
  return passed({
    graph,
    mesh: standing.mesh,
    hardware,
    ...(model !== undefined && { model: model.value }),
    placements: standing.placements,
    pins: new Map([...standing.pins, ...pins.value]),
    ends: ends.value,
    ...(training !== undefined && { training }),
    // Results of a training step only have their partial sums combined: a text cannot express other
    // layouts for them.
    ...(training !== undefined && args.model === undefined && { endsInSums: true }),
    ...(standing.microbatches !== undefined && { microbatches: standing.microbatches }),
    ...search,
    ...limitOf(memoryLimit, args.model === undefined ? hardware.memoryBytes : undefined),
  });
}

/** Diagnostic for an option that this program or this cost model cannot honour. */
function unmetOption(
  { forbid = [], partials }: Pick<PlanRequest, "forbid" | "partials">,
  { training }: Document,
  { model }: Arguments,
): Diagnostic | undefined {
  if (model === undefined && forbid.length > 0) {
    const names = forbid.join(", ");
    return unpricedFault(
      `the planner cannot forbid ${names} under the product's own costs: name a model`,
    );
  }
  if (partials === "flow" && training !== undefined) {
    const message = '"partials": "flow" is for forward programs, and this one trains';
    return fault("cli/bad-request", message);
  }
  return undefined;
}

/** The diagnostic for a program with a part that no planner prices. */
export function unpricedFault(message: string): Diagnostic {
  return fault("planner/unpriced", message);
}

/**
 * The requested memory limit, else the hardware's: plans under the program's own costs must fit
 * their devices.
 */
function limitOf(
  asked: number | undefined,
  there: number | undefined,
): Pick<PlanRequest, "memoryLimit"> {
  const limit = asked ?? there;
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
    const names = operator.axes.map((axis) => axis.name);
    const strange = Object.keys(cuts).find((each) => !names.includes(each));
    if (strange !== undefined) {
      const message = `"${name}" has no identifier "${strange}" to pin, but ${names.join(", ")}`;
      return failed(fault("pin-conflict", message));
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
    const isResult = tensor?.producer !== undefined && graph.outputs.includes(tensor.id);
    if (tensor === undefined || !isResult) return failed(noResult(name, graph));
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

function noResult(name: string, { tensors, outputs }: Graph): Diagnostic {
  const results = tensors.filter(({ id }) => outputs.includes(id)).map((each) => each.name);
  const is = tensors.some((each) => each.name === name) ? "is no result" : "is not there";
  const message = `"outputs": "${name}" ${is}; the results are ${results.join(", ")}`;
  return fault("cli/bad-request", message);
}

function fault(code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: "error", message };
}
