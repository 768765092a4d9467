import type { DimAnno, OpAnno, ShapeAnno } from "#core/dimops";
import {
  type IndexAxis,
  type Operand,
  type Operator,
  operatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import {
  type Body,
  type Definition,
  type Expr,
  markedAnnotation,
  operatorBody,
  type Table,
  usedTables,
} from "#core/ir/body";
import { innerCuts } from "./inner-cuts.ts";
import type { OperatorPlan, Strategy } from "./plan.ts";

/**
 * An operator in stages: one stage per table that is computed separately, then the rest of the
 * operator, which reads these tables.
 */
export interface Stages {
  readonly parts: readonly StagePart[];
  readonly last: Operator;
}

/** A table of an operator as a result of its own. */
export interface StagePart {
  readonly operator: Operator;
  readonly tensor: Tensor;
}

/**
 * Stages of an operator whose strategy cuts axes over which tables of its body combine; `undefined`
 * if no such axis is cut. A softmax over a cut dim first makes partial maxima, then partial sums
 * from the combined maxima, then its result from the combined sums. These are two small reductions
 * in place of a gather (Megatron's vocabulary-parallel loss, `loss_parallel` of DTensor).
 */
export function stagesOf(
  operator: Operator,
  strategy: Strategy,
  tensorOf: (id: TensorId) => Tensor | undefined,
): Stages | undefined {
  const cut = innerCuts(operator, strategy);
  if (cut.length === 0) return undefined;
  return new Staging(operator, cut, tensorOf).stages();
}

/** The strategy of a stage: the operator's own, on the axes that the stage has. */
export function stagePlan({ axes }: Operator, plan: OperatorPlan): OperatorPlan {
  const { cuts, sizes } = plan.strategy;
  const of = <T>(record: Readonly<Record<string, T>>): Record<string, T> => {
    const own = Object.entries(record).filter(([name]) => axes.some((axis) => axis.name === name));
    return Object.fromEntries(own);
  };
  const strategy = { cuts: of(cuts), ...(sizes !== undefined && { sizes: of(sizes) }), carry: [] };
  return { ...plan, strategy, status: "inferred" };
}

class Staging {
  private readonly operator: Operator;
  private readonly body: Body;
  private readonly tables: ReadonlyMap<string, Table>;
  /** The tables that combine over cut axes, in order. */
  private readonly staged: readonly Table[];
  private readonly parts = new Map<string, StagePart>();
  /** The operand of each parameter position. */
  private readonly operands = new Map<number, Operand>();
  private readonly shapes = new Map<number, ShapeAnno>();

  constructor(
    operator: Operator,
    cut: readonly string[],
    tensorOf: (id: TensorId) => Tensor | undefined,
  ) {
    this.operator = operator;
    const { call, body } = operatorBody(operator, (id) => tensorOf(id)?.shape ?? []);
    this.body = body;
    const used = usedTables(body);
    this.tables = new Map(used.map((table) => [table.name, table]));
    this.staged = used.filter(({ over }) => over.some(({ axis }) => cut.includes(axis)));
    let given = 0;
    for (const [at, input] of call.inputs.entries()) {
      const operand = input && operator.inputs[given++];
      if (operand !== undefined) this.operands.set(at, operand);
      const shape = operator.annotation.inputs[at];
      if (shape !== undefined) this.shapes.set(at, shape);
    }
  }

  stages(): Stages {
    for (const table of this.staged) this.parts.set(table.name, this.partOf(table));
    const { outputs, annotation, axes } = this.operator;
    const rest = this.reading(this.body.outputs);
    const named = axes.filter((axis) => rest.names.has(axis.name) || outputs.some(has(axis.name)));
    const last: Operator = {
      ...withoutEntry(this.operator),
      annotation: { inputs: rest.shapes, outputs: annotation.outputs },
      axes: named,
      inputs: rest.inputs,
      inner: [],
      body: { tables: rest.tables, outputs: rest.definitions },
      linear: [],
    };
    return { parts: [...this.parts.values()], last };
  }

  /** The stage that makes a table; partial if the table combines over cut axes. */
  private partOf(table: Table): StagePart {
    const { operator } = this;
    const kept = table.axes.filter(({ axis }) => operator.axes.some(({ name }) => name === axis));
    const id = tensorId(`${operator.id}.${table.name}`);
    const read = this.reading([table]);
    const over = new Set(table.over.map(({ axis }) => axis));
    const own = new Set([...read.names, ...kept.map(({ axis }) => axis)]);
    const axes = operator.axes.flatMap(({ name, size }): IndexAxis[] => {
      if (!own.has(name)) return [];
      const isKept = kept.some(({ axis }) => axis === name);
      return [{ name, size, reduction: isKept ? "" : over.has(name) ? "+" : "^" }];
    });
    const output: Operand = {
      tensor: id,
      dims: kept.map(({ axis }) => ({ identifiers: [axis], splittable: axis })),
    };
    const { combine } = table;
    const stage: Operator = {
      id: operatorId(id),
      name: id,
      op: `${operator.op}.${table.name}`,
      attributes: operator.attributes,
      call: operator.call,
      annotation: annotationOf(read.shapes, output, axes),
      axes,
      inputs: read.inputs,
      outputs: [output],
      linear: [],
      ...((combine === "max" || combine === "min") && { combine }),
      inner: [],
      body: { tables: read.tables, outputs: read.definitions },
      reducesInside: false,
      of: operator.of ?? operator.id,
      ...(operator.phase !== undefined && { phase: operator.phase }),
      ...(operator.span !== undefined && { span: operator.span }),
    };
    const tensor: Tensor = {
      id,
      name: id,
      shape: kept.map(({ axis }) => axes.find(({ name }) => name === axis)?.size ?? 1),
      dtype: "f32",
      dtypeText: "f32",
      role: "activation",
      dimNames: kept.map(({ axis }) => axis),
      shapeStatus: "inferred",
      producer: stage.id,
      ...(operator.span !== undefined && { span: operator.span }),
    };
    return { operator: stage, tensor };
  }

  /**
   * Definitions in which tables of earlier stages are operands, and the operands that they need.
   */
  private reading(definitions: readonly Definition[]) {
    const reads = new Reads(this.tables, this.parts);
    for (const each of definitions) reads.note(each);
    const positions = [...reads.positions].sort((a, b) => a - b);
    const parts = [...this.parts].filter(([name]) => reads.parts.has(name));
    const place = (position: number) => positions.indexOf(position);
    const partPlace = new Map(parts.map(([name], at) => [name, positions.length + at]));
    const written = (definition: Definition): Definition => ({
      over: definition.over,
      combine: definition.combine,
      value: rewritten(definition.value, place, partPlace),
    });
    const tables = [...this.tables.values()].filter(({ name }) => reads.tables.has(name));
    const given = positions.flatMap((at) => this.operands.get(at) ?? []);
    const made = parts.flatMap(([, { operator }]) => operator.outputs);
    const shapes = positions.flatMap((at) => this.shapes.get(at) ?? []);
    return {
      inputs: [...given, ...made],
      shapes: [...shapes, ...made.map(shapeAnno)],
      names: new Set([...reads.names, ...[...given, ...made].flatMap(namesIn)]),
      tables: tables.map((table) => ({ name: table.name, axes: table.axes, ...written(table) })),
      definitions: definitions.map(written),
    };
  }
}

/**
 * The reads of definitions: operands by position, tables of earlier stages, and tables of their
 * own.
 */
class Reads {
  readonly positions = new Set<number>();
  readonly parts = new Set<string>();
  readonly tables = new Set<string>();
  /** Names of axes that loops and indices run along. */
  readonly names = new Set<string>();
  private readonly known: ReadonlyMap<string, Table>;
  private readonly made: ReadonlyMap<string, StagePart>;

  constructor(known: ReadonlyMap<string, Table>, made: ReadonlyMap<string, StagePart>) {
    this.known = known;
    this.made = made;
  }

  note({ over, value }: Definition): void {
    for (const { axis } of over) this.names.add(axis);
    this.noteExpr(value);
  }

  private noteExpr(expr: Expr): void {
    if (expr.kind === "index") this.names.add(expr.axis);
    if (expr.kind === "apply") for (const arg of expr.args) this.noteExpr(arg);
    if (expr.kind === "read") {
      this.positions.add(expr.operand);
      for (const place of expr.at ?? []) this.noteExpr(place);
    }
    if (expr.kind === "table") this.noteTable(expr.name);
  }

  private noteTable(name: string): void {
    if (this.made.has(name)) this.parts.add(name);
    const table = this.known.get(name);
    if (table === undefined || this.made.has(name) || this.tables.has(name)) return;
    this.tables.add(name);
    for (const { axis } of table.axes) this.names.add(axis);
    this.note(table);
  }
}

function rewritten(
  expr: Expr,
  place: (position: number) => number,
  parts: ReadonlyMap<string, number>,
): Expr {
  const again = (inner: Expr) => rewritten(inner, place, parts);
  switch (expr.kind) {
    case "apply":
      return { ...expr, args: expr.args.map(again) };
    case "read":
      return {
        kind: "read",
        operand: place(expr.operand),
        ...(expr.at !== undefined && { at: expr.at.map(again) }),
      };
    case "table": {
      const operand = parts.get(expr.name);
      return operand === undefined ? expr : { kind: "read", operand };
    }
    default:
      return expr;
  }
}

function withoutEntry({ entry: _, ...operator }: Operator): Operator {
  return operator;
}

function has(name: string): (operand: Operand) => boolean {
  return (operand) => namesIn(operand).includes(name);
}

function namesIn({ dims }: Operand): readonly string[] {
  return dims.flatMap(({ identifiers }) => identifiers);
}

/** The annotation of a stage: operands as they were, with the marks of its own axes. */
function annotationOf(
  inputs: readonly ShapeAnno[],
  output: Operand,
  axes: readonly IndexAxis[],
): OpAnno {
  const marks = new Map(axes.map(({ name, reduction }) => [name, reduction]));
  return markedAnnotation({ inputs, outputs: [shapeAnno(output)] }, marks);
}

const nowhere = { from: 0, to: 0 };

/** The annotation of an operand whose dims are one axis each. */
function shapeAnno({ dims }: Operand): ShapeAnno {
  const dimAnno = (name: string, kind: "name" | "number"): DimAnno => ({
    identifiers: [{ name, kind, reduction: "", span: nowhere }],
    span: nowhere,
  });
  const named = dims.flatMap(({ identifiers }) => identifiers.map((name) => dimAnno(name, "name")));
  const written = named.length === 0 ? [dimAnno("1", "number")] : named;
  return { dims: written, ignored: false, span: nowhere };
}
