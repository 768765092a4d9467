import type { DimAnno, OpAnno, Reduction, ShapeAnno } from "#core/dimops";
import { extended, memoized } from "#core/records";
import type { BoundCall, CallOperand } from "../call.ts";
import type { OperandDim, Operator } from "../graph.ts";
import type { Body, Definition, Expr, Table } from "./body.ts";

/**
 * The effect of cutting an index axis on the body of an operator: pieces make cells of their own
 * (`apart`), parts of every result that combine (`joined`), or cannot be run one by one (`whole`).
 * `isInner`: a table runs along the axis, so its parts are combined before the body reads it.
 */
type BodyCut =
  | { readonly kind: "whole" }
  | { readonly kind: "apart"; readonly isInner: boolean }
  | { readonly kind: "joined"; readonly combine: "sum" | "max" | "min"; readonly isInner: boolean };

const whole: BodyCut = { kind: "whole" };

/** The tables that the results of a body need, in order. */
export function usedTables({ tables, outputs }: Body): readonly Table[] {
  if (tables.length === 0) return tables;
  const used = new Set<string>();
  const note = (value: Expr): void => {
    for (const expr of expressionsIn(value)) if (expr.kind === "table") used.add(expr.name);
  };
  for (const { value } of outputs) note(value);
  for (const { name, value } of tables.toReversed()) if (used.has(name)) note(value);
  return tables.filter(({ name }) => used.has(name));
}

/**
 * An expression and all its subexpressions. An explicit stack replaces recursion, since in a
 * concatenation of thousands each part is nested in the one before.
 */
function* expressionsIn(value: Expr): Generator<Expr> {
  const open = [value];
  for (let expr = open.pop(); expr !== undefined; expr = open.pop()) {
    yield expr;
    if (expr.kind === "apply") open.push(...expr.args);
    else if (expr.kind === "read" && expr.at !== undefined) open.push(...expr.at);
  }
}

type Role = "apart" | "free" | "whole" | Definition["combine"];

/**
 * Ways to cut the axes of a call, derived from the indices at which the body reads and combines.
 */
class BodyAxes {
  private readonly call: BoundCall;
  private readonly outputs: readonly Definition[];
  private readonly tables: readonly Table[];
  /** Axes of operands that are read at an index other than the axis' own. */
  private readonly moved = new Set<string>();
  /** Axes that the value of each definition depends on. */
  private readonly behind = new Map<Definition, ReadonlySet<string>>();

  constructor(call: BoundCall, { outputs }: Body, tables: readonly Table[]) {
    this.call = call;
    this.outputs = outputs;
    this.tables = tables;
    for (const definition of [...tables, ...outputs]) this.noteMoved(definition);
  }

  cut(axis: string): BodyCut {
    const { tables, outputs } = this;
    if (this.moved.has(axis) || !tables.every((each) => this.isTabled(each, axis))) return whole;
    const isInner = tables.some(({ over }) => over.some((loop) => loop.axis === axis));
    const roles = new Set(
      this.call.outputs.map((output, at) => this.roleOf(output, outputs[at], axis)),
    );
    if (roles.has("whole") || roles.has("prod")) return whole;
    const joins = (["sum", "max", "min"] as const).filter((role) => roles.has(role));
    const [combine] = joins;
    if (combine === undefined) return { kind: "apart", isInner };
    // A result without the axis must combine parts. A part that does not depend on the axis would
    // be counted twice.
    return joins.length > 1 || roles.has("free") ? whole : { kind: "joined", combine, isInner };
  }

  /**
   * Notes axes of operands that are read at another index than their own, and names of the body's
   * loops.
   */
  private noteMoved({ over, value }: Definition): void {
    for (const { axis, size } of over) if (size !== undefined) this.moved.add(axis);
    for (const expr of expressionsIn(value)) {
      if (expr.kind !== "read" || expr.at === undefined) continue;
      const { dims = [] } = this.call.inputs[expr.operand] ?? {};
      for (const [dim, place] of expr.at.entries()) {
        const own = place.kind === "index" ? place.axis : undefined;
        for (const name of dims[dim]?.identifiers ?? []) if (name !== own) this.moved.add(name);
      }
    }
  }

  /** Whether a table has entries along the axis, combines over it, or does not depend on it. */
  private isTabled(table: Table, axis: string): boolean {
    const { axes, over } = table;
    const isOwn = axes.some((loop) => loop.axis === axis && loop.size === undefined);
    const isFolded = over.some((loop) => loop.axis === axis);
    if (!isFolded) return isOwn || !this.axesBehind(table).has(axis);
    // Parts of a table become tensors; a loop of the table's own is no axis of the operator.
    return !isOwn && axes.every(({ size = 1 }) => size === 1);
  }

  private roleOf({ dims }: CallOperand, definition: Definition | undefined, axis: string): Role {
    if (definition === undefined) return "whole";
    const isMentioned = dims.some(({ identifiers }) => identifiers.includes(axis));
    const isFolded = definition.over.some((loop) => loop.axis === axis);
    if (isMentioned) return isFolded ? "whole" : "apart";
    if (isFolded) return definition.combine;
    return this.axesBehind(definition).has(axis) ? "whole" : "free";
  }

  /** The axes that a definition depends on. */
  private axesBehind(definition: Definition): ReadonlySet<string> {
    const known = this.behind.get(definition);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const expr of expressionsIn(definition.value))
      for (const name of this.axesOf(expr)) found.add(name);
    this.behind.set(definition, found);
    return found;
  }

  /** The axes that an expression itself depends on, not through its parts. */
  private axesOf(expr: Expr): readonly string[] {
    if (expr.kind === "index") return [expr.axis];
    if (expr.kind === "table") {
      const table = this.tables.find(({ name }) => name === expr.name);
      return table?.axes.map(({ axis }) => axis) ?? [];
    }
    if (expr.kind !== "read" || expr.at !== undefined) return [];
    const { dims = [] } = this.call.inputs[expr.operand] ?? {};
    return dims.flatMap(({ identifiers }) => identifiers);
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
 * The cuts that the mathematics of an operator allows (architecture.md §1.1): a frozen axis along
 * which a body works cell by cell is free, one that it sums over is summed, and one along which
 * tables are combined may be cut if these are combined over the devices.
 */
export function cutsOfBody(call: BoundCall, body: Body, known: Operator["combine"]): CutsOfBody {
  const marks = new Map<string, Reduction>();
  const inner: string[] = [];
  let joins = known;
  const tables = usedTables(body);
  const isOpen = tables.length === 0 && call.axes.every(({ reduction }) => reduction !== "^");
  if (isOpen) return { marks, inner, ...(known !== undefined && { combine: known }) };
  const isSummed = call.axes.some(({ reduction }) => reduction === "+");
  const axes = new BodyAxes(call, body, tables);
  for (const { name, reduction } of call.axes) {
    const cut = axes.cut(name);
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

/**
 * The operator with the cuts that its body allows; equal operators share the changed axes and
 * annotation.
 */
export function withCutsOfBody<
  Cut extends Pick<Operator, "annotation" | "axes" | "inputs" | "outputs">,
>(operator: Cut, cuts: CutsOfBody): Cut & Pick<Operator, "inner" | "combine"> {
  const { marks, inner, combine } = cuts;
  if (marks.size === 0 && inner.length === 0) return extended(operator, { inner });
  const opening = openingsOf(cuts)(operator.axes);
  const operands = (list: Operator["inputs"]) =>
    list.map((operand) => ({ ...operand, dims: opening.dims(operand.dims) }));
  return extended(operator, {
    annotation: opening.annotation(operator.annotation),
    axes: opening.axes,
    inputs: operands(operator.inputs),
    outputs: operands(operator.outputs),
    inner,
    ...(combine !== undefined && { combine }),
  });
}

/** The changes that the cuts of a body make to all operators of one index space. */
interface Opening {
  readonly axes: Operator["axes"];
  readonly annotation: (annotation: OpAnno) => OpAnno;
  readonly dims: (dims: readonly OperandDim[]) => readonly OperandDim[];
}

const openingsOf: (cuts: CutsOfBody) => (axes: Operator["axes"]) => Opening = memoized((cuts) =>
  memoized((axes) => openingOf(cuts, axes)),
);

function openingOf({ marks, inner }: CutsOfBody, axes: Operator["axes"]): Opening {
  const opened = new Set([...marks.keys(), ...inner]);
  // Parts that are combined inside need no mark in the annotation.
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
    annotation: memoized((annotation) => markedAnnotation(annotation, written)),
    dims: memoized((dims) => dims.map(dimOf)),
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
