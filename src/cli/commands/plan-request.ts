import { planQuestion, unpricedPart } from "#compile";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { Graph, OperatorId, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, parseLayout, wholeAxis } from "#core/mesh";
import type { Strategy } from "#core/plan";
import type { Document } from "#language/document";
import type { PlanRequest } from "#planner";
import { costModelOf } from "#systems";
import type { Arguments } from "./answer.ts";

/** What a planner is asked by a document and the arguments of a request. */
export function planRequestOf(document: Document, args: Arguments): Checked<PlanRequest> {
  const { graph, mesh, training } = document;
  const standing = planQuestion(document, { freesPlaces: false });
  const unpriced = args.model === undefined ? unpricedPart(document) : undefined;
  if (unpriced !== undefined) return failed(unpricedFault(unpriced));
  const { memoryLimit, partials, forbid, redundant, uneven } = args;
  if (args.model === undefined && Array.isArray(forbid) && forbid.length > 0) {
    const message = `the planner cannot forbid ${forbid.join(", ")} under the product's own costs: name a model`;
    return failed(fault("planner/unpriced", message));
  }
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
    // A training step ends its results in their sums: a text has no words for anything else.
    ...(training !== undefined && args.model === undefined && { endsInSums: true }),
    ...(standing.microbatches !== undefined && { microbatches: standing.microbatches }),
    ...limitOf(memoryLimit, args.model === undefined ? hardware.memoryBytes : undefined),
    ...((partials === "flow" || partials === "reduce") && { partials }),
    ...(Array.isArray(forbid) && { forbid }),
    ...(typeof redundant === "boolean" && { redundant }),
    ...(typeof uneven === "boolean" && { uneven }),
  });
}

/** What is said of a program that has a part which no planner prices. */
export function unpricedFault(message: string): Diagnostic {
  return fault("planner/unpriced", message);
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

function fault(code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: "error", message };
}
