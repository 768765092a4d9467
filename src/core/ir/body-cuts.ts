import type { DimAnno, OpAnno, Reduction, ShapeAnno } from "#core/dimops";
import { remembered } from "#core/records";
import type { Body, Definition, Expr, Table } from "./body.ts";
import type { BoundCall, CallOperand } from "./call.ts";
import type { OperandDim, Operator } from "./graph.ts";

/**
 * What cutting an index axis means to the body of an operator: pieces make cells of their own
 * (`apart`), or parts of every result that combine (`joined`), or they cannot be run one by one
 * (`whole`). `isInner`: a table runs along the axis, so its parts are combined before what reads it.
 */
type BodyCut =
  | { readonly kind: "whole" }
  | { readonly kind: "apart"; readonly isInner: boolean }
  | { readonly kind: "joined"; readonly combine: "sum" | "max" | "min"; readonly isInner: boolean };

const whole: BodyCut = { kind: "whole" };

/** The tables that the results of a body are made of, in order; others need not be computed. */
export function usedTables({ tables, outputs }: Body): readonly Table[] {
  const used = new Set<string>();
  const note = (expr: Expr): void => {
    if (expr.kind === "table") used.add(expr.name);
    if (expr.kind === "apply") expr.args.forEach(note);
    if (expr.kind === "read") expr.at?.forEach(note);
  };
  for (const { value } of outputs) note(value);
  for (const { name, value } of tables.toReversed()) if (used.has(name)) note(value);
  return tables.filter(({ name }) => used.has(name));
}

/** How the axis of a call may be cut, by what the body reads and combines along it. */
function cutOfBody(call: BoundCall, body: Body, tables: readonly Table[], axis: string): BodyCut {
  const along = new Along(call, axis, tables);
  const definitions: readonly Definition[] = [...tables, ...body.outputs];
  if (!definitions.every((each) => along.isReadInPlace(each))) return whole;
  if (!tables.every((each) => along.isTabled(each))) return whole;
  const isInner = tables.some(({ over }) => over.some((loop) => loop.axis === axis));
  const roles = new Set(call.outputs.map((output, at) => along.roleOf(output, body.outputs[at])));
  if (roles.has("whole") || roles.has("prod")) return whole;
  const joins = (["sum", "max", "min"] as const).filter((role) => roles.has(role));
  const [combine] = joins;
  if (combine === undefined) return { kind: "apart", isInner };
  // A result that lacks the axis is taken for a part; one that does not depend on it is none.
  return joins.length > 1 || roles.has("free") ? whole : { kind: "joined", combine, isInner };
}

type Role = "apart" | "free" | "whole" | Definition["combine"];

/** One axis of a call, as the expressions of a body see it. */
class Along {
  private readonly call: BoundCall;
  private readonly axis: string;
  private readonly tabled: ReadonlySet<string>;

  constructor(call: BoundCall, axis: string, tables: readonly Table[]) {
    this.call = call;
    this.axis = axis;
    const has = ({ axes }: Table) => axes.some((loop) => loop.axis === axis);
    this.tabled = new Set(tables.filter(has).map(({ name }) => name));
  }

  /** Operands that have the axis are read where the axis stands; loops of its name are the axis. */
  isReadInPlace({ over, value }: Definition): boolean {
    const isShadowed = over.some((loop) => loop.axis === this.axis && loop.size !== undefined);
    return !isShadowed && this.inPlace(value);
  }

  private inPlace(expr: Expr): boolean {
    if (expr.kind === "apply") return expr.args.every((arg) => this.inPlace(arg));
    if (expr.kind !== "read" || expr.at === undefined) return true;
    const { dims = [] } = this.call.inputs[expr.operand] ?? {};
    return expr.at.every((place, dim) => {
      if (!this.inPlace(place)) return false;
      if (!dims[dim]?.identifiers.includes(this.axis)) return true;
      return place.kind === "index" && place.axis === this.axis;
    });
  }

  /** A table has entries along the axis, or combines over it, or does not depend on it. */
  isTabled({ axes, over, value }: Table): boolean {
    const isOwn = axes.some((loop) => loop.axis === this.axis && loop.size === undefined);
    const isFolded = over.some((loop) => loop.axis === this.axis);
    if (!isFolded) return isOwn || !this.depends(value);
    // Parts of a table become tensors: a loop of the table's own has no axis to be cut along.
    return !isOwn && axes.every(({ size = 1 }) => size === 1);
  }

  roleOf({ dims }: CallOperand, definition: Definition | undefined): Role {
    if (definition === undefined) return "whole";
    const isMentioned = dims.some(({ identifiers }) => identifiers.includes(this.axis));
    const isFolded = definition.over.some((loop) => loop.axis === this.axis);
    if (isMentioned) return isFolded ? "whole" : "apart";
    if (isFolded) return definition.combine;
    return this.depends(definition.value) ? "whole" : "free";
  }

  private depends(expr: Expr): boolean {
    switch (expr.kind) {
      case "number":
        return false;
      case "index":
        return expr.axis === this.axis;
      case "table":
        return this.tabled.has(expr.name);
      case "apply":
        return expr.args.some((arg) => this.depends(arg));
      case "read": {
        if (expr.at !== undefined) return expr.at.some((place) => this.depends(place));
        const { dims = [] } = this.call.inputs[expr.operand] ?? {};
        return dims.some(({ identifiers }) => identifiers.includes(this.axis));
      }
    }
  }
}

/** How an operator may be cut beyond its annotation, by its body. */
export interface CutsOfBody {
  /** Marks of axes that the annotation freezes and the body does not. */
  readonly marks: ReadonlyMap<string, Reduction>;
  /** Axes over which tables combine, in the order of the index space. */
  readonly inner: readonly string[];
  readonly combine?: "max" | "min";
}

/**
 * What the mathematics of an operator allows to be cut (design.md §1, "Whose rules"): a frozen axis
 * along which a body works cell by cell is free, one that it sums over is summed, and one along
 * which tables are combined may be cut if these are combined over the devices.
 */
export function cutsOfBody(call: BoundCall, body: Body, known: Operator["combine"]): CutsOfBody {
  const marks = new Map<string, Reduction>();
  const inner: string[] = [];
  let joins = known;
  const tables = usedTables(body);
  const isOpen = tables.length === 0 && call.axes.every(({ reduction }) => reduction !== "^");
  const isSummed = call.axes.some(({ reduction }) => reduction === "+");
  for (const { name, reduction } of isOpen ? [] : call.axes) {
    const cut = cutOfBody(call, body, tables, name);
    if (cut.kind === "whole") continue;
    if (reduction === "^" && cut.kind === "joined") {
      const combine = cut.combine === "sum" ? undefined : cut.combine;
      const isFirst = joins === undefined && !isSummed && ![...marks.values()].includes("+");
      if (combine !== joins && !isFirst) continue;
      joins = combine;
      marks.set(name, "+");
    }
    if (cut.isInner) inner.push(name);
    else if (reduction === "^" && cut.kind === "apart") marks.set(name, "");
  }
  return { marks, inner, ...(joins !== undefined && { combine: joins }) };
}

/** The operator with the cuts that its body allows; equal operators share what is opened in them. */
export function withCutsOfBody<
  Cut extends Pick<Operator, "annotation" | "axes" | "inputs" | "outputs">,
>(operator: Cut, cuts: CutsOfBody): Cut & Pick<Operator, "inner" | "combine"> {
  const { marks, inner, combine } = cuts;
  if (marks.size === 0 && inner.length === 0) return { ...operator, inner };
  const opening = openingsOf(cuts)(operator.axes);
  const operands = (list: Operator["inputs"]) =>
    list.map((operand) => ({ ...operand, dims: opening.dims(operand.dims) }));
  return {
    ...operator,
    annotation: opening.annotation(operator.annotation),
    axes: opening.axes,
    inputs: operands(operator.inputs),
    outputs: operands(operator.outputs),
    inner,
    ...(combine !== undefined && { combine }),
  };
}

/** What cuts open in the operators of one index space. */
interface Opening {
  readonly axes: Operator["axes"];
  readonly annotation: (annotation: OpAnno) => OpAnno;
  readonly dims: (dims: readonly OperandDim[]) => readonly OperandDim[];
}

const openingsOf: (cuts: CutsOfBody) => (axes: Operator["axes"]) => Opening = remembered((cuts) =>
  remembered((axes) => openingOf(cuts, axes)),
);

function openingOf({ marks, inner }: CutsOfBody, axes: Operator["axes"]): Opening {
  const opened = new Set([...marks.keys(), ...inner]);
  // Where parts are combined inside, no mark of an annotation says so.
  const written = new Map([...marks].filter(([name]) => !inner.includes(name)));
  const sizes = new Map(axes.map(({ name, size }) => [name, size]));
  const dimOf = (dim: OperandDim): OperandDim => {
    const lead =
      dim.identifiers.find((name) => (sizes.get(name) ?? Number(name)) !== 1) ??
      dim.identifiers.at(-1);
    const isOpened = dim.splittable === undefined && lead !== undefined && opened.has(lead);
    return isOpened ? { ...dim, splittable: lead } : dim;
  };
  return {
    axes: axes.map((axis) => ({ ...axis, reduction: marks.get(axis.name) ?? axis.reduction })),
    annotation: remembered((annotation) => markedAnnotation(annotation, written)),
    dims: remembered((dims) => dims.map(dimOf)),
  };
}

/** An annotation with other marks at some of its identifiers. */
export function markedAnnotation(annotation: OpAnno, marks: CutsOfBody["marks"]): OpAnno {
  if (marks.size === 0) return annotation;
  const { inputs, outputs } = annotation;
  const dim = ({ identifiers, ...place }: DimAnno): DimAnno => ({
    ...place,
    identifiers: identifiers.map((each) => ({
      ...each,
      reduction: marks.get(each.name) ?? each.reduction,
    })),
  });
  const shape = ({ dims, ...about }: ShapeAnno): ShapeAnno => ({ ...about, dims: dims.map(dim) });
  return { inputs: inputs.map(shape), outputs: outputs.map(shape) };
}
