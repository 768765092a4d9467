import type { Diagnostic } from "#core/diagnostics";
import { lengthOf } from "#core/indexspace";
import type { Graph, Operator, OperatorId, TensorId } from "#core/ir";
import { type BodyPiece, sameShape, type TraceBody, type TracedBody } from "#core/ir/body";
import type { IndexRange } from "#core/program";

/** A body that does not run on a device's part, or gives other shapes there. */
export interface PartFault {
  readonly what: string;
  readonly diagnostic: Diagnostic;
}

/** The registered functions of a graph, with their bodies for a run. */
export interface ResolvedBodies {
  readonly whole: (operator: Operator) => TracedBody | undefined;
  readonly has: (operator: OperatorId) => boolean;
  /** The body on a device's part; `undefined` if it fails there, which `faults` then reports. */
  readonly part: (operator: Operator, range: IndexRange) => TracedBody | undefined;
  /** The reason why an operator without a library entry has no body. */
  readonly reasonOf: (operator: Operator) => string | undefined;
  /** The difference between the shapes of a function's results and its annotation, in words. */
  readonly misfitOf: (operator: Operator) => string | undefined;
  /** Diagnostics of functions whose results have other shapes than their annotations say. */
  readonly misfits: readonly Diagnostic[];
  /** The faults on devices so far, each once. */
  readonly faults: () => readonly PartFault[];
}

/** Traces every registered function of a graph on its whole operands. */
export function resolveBodies(graph: Graph, trace: TraceBody | undefined): ResolvedBodies {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const shapeOf = (id: TensorId) => shapes.get(id) ?? [];
  const bodies = new Map<OperatorId, TracedBody>();
  const reasons = new Map<OperatorId, string>();
  const misfits = new Map<Operator, string>();
  for (const operator of graph.operators) {
    const isKnown = operator.entry !== undefined || operator.points !== undefined;
    if (isKnown || trace === undefined) continue;
    const outcome = trace(wholeCall(operator, shapeOf));
    if (!outcome.ok) reasons.set(operator.id, outcome.reason);
    else {
      const wanted = operator.outputs.map(({ tensor }) => shapeOf(tensor));
      const misfit = misfitOf(operator, outcome.body, wanted);
      if (misfit === undefined) bodies.set(operator.id, outcome.body);
      else misfits.set(operator, misfit);
    }
  }
  const faults = new Map<string, PartFault>();
  return {
    whole: ({ id }) => bodies.get(id),
    has: (operator) => bodies.has(operator),
    part: (operator, range) => {
      if (trace === undefined) return undefined;
      const part = partOf(operator, range, trace);
      if (typeof part !== "string") return part;
      const key = `${operator.op}: ${part}`;
      const fault = { what: part, diagnostic: partFails(operator, range, part) };
      faults.set(key, faults.get(key) ?? fault);
      return undefined;
    },
    reasonOf: ({ id }) => reasons.get(id),
    misfitOf: (operator) => misfits.get(operator),
    misfits: [...misfits].map(([operator, misfit]) => shapeMisfit(operator, misfit)),
    faults: () => [...faults.values()],
  };
}

/** Operator of the program that an operator of another phase runs again. */
function sourceOf(operator: Operator): OperatorId {
  return operator.of ?? operator.id;
}

/** A call of a registered function on its whole operands. */
function wholeCall(operator: Operator, shapeOf: (id: TensorId) => readonly number[]) {
  return {
    operator: sourceOf(operator),
    shapes: operator.inputs.map(({ tensor }) => shapeOf(tensor)),
    lengths: Object.fromEntries(operator.axes.map(({ name, size }) => [name, size])),
    pieces: [],
  };
}

/** The body on a device's part, or its fault. */
function partOf(operator: Operator, range: IndexRange, trace: TraceBody): TracedBody | string {
  const sizesOf = (operands: IndexRange["inputs"]) =>
    operands.map(({ box }) => box.map((each) => lengthOf(each)));
  const lengths = operator.axes.map(({ name, size }, at) => {
    const part = range.box[at];
    return [name, part === undefined ? size : lengthOf(part)] as const;
  });
  const outcome = trace({
    operator: sourceOf(operator),
    shapes: sizesOf(range.inputs),
    lengths: Object.fromEntries(lengths),
    pieces: bodyPieces(operator, range),
  });
  if (!outcome.ok) return outcome.reason;
  return misfitOf(operator, outcome.body, sizesOf(range.outputs)) ?? outcome.body;
}

/**
 * Piece of each cut axis on which a part runs; pieces of unequal lengths are numbered like equal
 * ones.
 */
function bodyPieces({ axes }: Operator, { box }: IndexRange): readonly BodyPiece[] {
  return axes.flatMap(({ name, size }, at): BodyPiece[] => {
    const part = box[at];
    const length = part === undefined ? size : lengthOf(part);
    if (part === undefined || length === size || length === 0) return [];
    return [
      { axis: name, count: Math.ceil(size / length), index: Math.floor(part.start / length) },
    ];
  });
}

/** The fault of a body's results, if their shapes are not the wanted ones. */
function misfitOf(
  { annotation }: Operator,
  { graph, outputs }: TracedBody,
  wanted: readonly (readonly number[])[],
): string | undefined {
  if (outputs.length !== wanted.length) {
    return `it returns ${count(outputs.length)}, but its annotation has ${count(wanted.length)}`;
  }
  for (const [at, shape] of wanted.entries()) {
    if (annotation.outputs[at]?.ignored === true) continue;
    const made = graph.tensors.find(({ id }) => id === outputs[at])?.shape;
    if (made !== undefined && sameShape(made, shape)) continue;
    return `its result is ${written(made)}, but its annotation says ${written(shape)}`;
  }
  return undefined;
}

function count(results: number): string {
  return results === 1 ? "one result" : `${results} results`;
}

function written(shape: readonly number[] | undefined): string {
  if (shape === undefined) return "no tensor";
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

function shapeMisfit({ op, span }: Operator, what: string): Diagnostic {
  return {
    code: "execute/other-shape",
    severity: "error",
    message: `the body of "${op}" does not fit its annotation: ${what}`,
    upstream: "ValueError",
    ...(span !== undefined && { span }),
  };
}

function partFails(
  { op, span }: Operator,
  { device, inputs }: IndexRange,
  what: string,
): Diagnostic {
  const parts = inputs.map(({ box }) => written(box.map((each) => lengthOf(each))));
  return {
    code: "execute/part-fails",
    severity: "warning",
    message: `the body of "${op}" does not run on the part of device ${device}, ${parts.join(" and ")}: ${what}`,
    ...(span !== undefined && { span }),
  };
}
