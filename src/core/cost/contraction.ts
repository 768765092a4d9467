import { type Body, type Definition, type Expr, operatorBody, usedTables } from "#core/ir/body";
import type { Kernel, Product } from "./kernel.ts";
import type { LocalOperator } from "./local-operator.ts";
import { arithmeticOf, isAligned, touchedBytes } from "./work.ts";

/** The lengths of a matrix product. */
export type ProductSizes = Pick<Product, "batch" | "rows" | "columns" | "inner">;

type Axes = readonly string[];

/**
 * Index axes of two factors, and of the result (`kept`). Lists, since short ones take less room
 * than sets.
 */
interface Factors {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Lengths of the product of two factors, from the axes of each and of the result. Axes that both
 * factors have and the result lacks are contracted. `undefined` if there is no such axis.
 */
function productSizes(
  axes: readonly string[],
  { a, b, kept }: Factors,
  sizeOf: (axis: string) => number,
): ProductSizes | undefined {
  let isProduct = false;
  const sizes = { batch: 1, rows: 1, columns: 1, inner: 1 };
  for (const axis of axes) {
    const [inA, inB, isKept] = [a.includes(axis), b.includes(axis), kept.includes(axis)];
    if (inA && inB) {
      if (!isKept) isProduct = true;
      sizes[isKept ? "batch" : "inner"] *= sizeOf(axis);
    } else if (isKept && (inA || inB)) sizes[inA ? "rows" : "columns"] *= sizeOf(axis);
  }
  return isProduct ? sizes : undefined;
}

/** Products that contract an operator's operands one after the other, from its annotation alone. */
export function productsOfOperands(local: LocalOperator): readonly ProductSizes[] {
  const { inputs, outputs, operator, sizeOf } = local;
  if (inputs.length < 2) return [];
  const kept = identifiersOf(outputs);
  const all = inputs.map((operand) => identifiersOf([operand]));
  const axes = operator.axes.map(({ name }) => name);
  const products: ProductSizes[] = [];
  let [done = []] = all;
  for (let at = 1; at < all.length; at += 1) {
    const next = all[at] ?? [];
    const isLast = at === all.length - 1;
    const needed = isLast ? kept : [...kept, ...all.slice(at + 1).flat()];
    const product = productSizes(axes, { a: done, b: next, kept: needed }, sizeOf);
    if (product !== undefined) products.push(product);
    if (!isLast) done = [...done, ...next].filter((axis) => needed.includes(axis));
  }
  return products;
}

/**
 * The product of the first two operands whose lengths multiply to `points`, by the annotation
 * alone.
 */
export function productOfPair(local: LocalOperator, points: number): ProductSizes | undefined {
  const { inputs, outputs, operator, sizeOf } = local;
  const kept = identifiersOf(outputs);
  const all = inputs.map((operand) => identifiersOf([operand]));
  const axes = operator.axes.map(({ name }) => name);
  for (const [at, a] of all.entries())
    for (const b of all.slice(at + 1)) {
      const product = productSizes(axes, { a, b, kept }, sizeOf);
      if (product === undefined) continue;
      const { batch, rows, columns, inner } = product;
      if (batch * rows * columns * inner === points) return product;
    }
  return undefined;
}

/** The index axes of operands. */
function identifiersOf(operands: LocalOperator["inputs"]): readonly string[] {
  const names: string[] = [];
  for (const { dims } of operands)
    for (const { identifiers } of dims)
      for (const name of identifiers) if (!names.includes(name)) names.push(name);
  return names;
}

function axesOf({ operator }: LocalOperator, operands: LocalOperator["inputs"]): Axes {
  const names = identifiersOf(operands);
  return operator.axes.flatMap(({ name }) => (names.includes(name) ? [name] : []));
}

/** Products that the body of an operator makes, of tables and of results. */
export function productsOfBody(local: LocalOperator): readonly ProductSizes[] {
  return [...productsByDefinition(local).values()];
}

/**
 * Product that each table or result of an operator's body computes; those that are no product are
 * missing. @internal
 */
export function productsByDefinition(local: LocalOperator): ReadonlyMap<Definition, ProductSizes> {
  const { body } = operatorBody(local.operator, local.shapeOf);
  const tables = usedTables(body);
  const axesOfTable = new Map(tables.map(({ name, axes }) => [name, axes.map(({ axis }) => axis)]));
  const loops = loopSizes(body);
  const sizeOf = (axis: string) => {
    const place = /^#(\d+)$/u.exec(axis)?.[1];
    if (place !== undefined) return local.outputs[0]?.shape[Number(place)] ?? 1;
    return loops.get(axis) ?? local.sizeOf(axis);
  };
  const axesIn = (expr: Expr): Axes => [...new Set(namesIn(expr, local, axesOfTable))];
  const products = [...tables, ...body.outputs].flatMap((definition) => {
    const [product] = productOf(definition, axesIn, sizeOf);
    return product === undefined ? [] : [[definition, product] as const];
  });
  return new Map(products);
}

function loopSizes({ tables, outputs }: Body): ReadonlyMap<string, number> {
  const all = [...tables.flatMap(({ axes }) => axes), ...[...tables, ...outputs].flatMap(overOf)];
  return new Map(all.flatMap(({ axis, size }) => (size === undefined ? [] : [[axis, size]])));
}

const overOf = ({ over }: Definition) => over;

/** The largest product of two factors that a definition sums. */
function productOf(
  { over, combine, value }: Definition,
  axesIn: (expr: Expr) => Axes,
  sizeOf: (axis: string) => number,
): readonly ProductSizes[] {
  if (over.length === 0 || combine !== "sum") return [];
  const summed = over.map(({ axis }) => axis);
  const found = factorGroups(value).flatMap((factors) => {
    const [a, b] = factors.map(axesIn).sort((x, y) => y.length - x.length);
    if (a === undefined || b === undefined) return [];
    const axes = [...new Set([...a, ...b])];
    const kept = axes.filter((axis) => !summed.includes(axis));
    return productSizes(axes, { a, b, kept }, sizeOf) ?? [];
  });
  return found.filter(({ rows, columns }) => rows > 1 && columns > 1).slice(0, 1);
}

/** The factors of every product in an expression. */
function factorGroups(expr: Expr): readonly (readonly Expr[])[] {
  if (expr.kind !== "apply") return [];
  if (expr.function === "mul") return [factorsIn(expr), ...expr.args.flatMap(factorGroups)];
  return expr.args.flatMap(factorGroups);
}

function factorsIn(expr: Expr): readonly Expr[] {
  if (expr.kind === "apply" && expr.function === "mul") return expr.args.flatMap(factorsIn);
  return expr.kind === "number" ? [] : [expr];
}

function namesIn(
  expr: Expr,
  local: LocalOperator,
  tables: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  switch (expr.kind) {
    case "index":
      return [expr.axis];
    case "table":
      return tables.get(expr.name) ?? [];
    case "apply":
      return expr.args.flatMap((arg) => namesIn(arg, local, tables));
    case "read": {
      if (expr.at !== undefined) return expr.at.flatMap((each) => namesIn(each, local, tables));
      const operand = local.inputs[expr.operand];
      return operand === undefined ? [] : axesOf(local, [operand]);
    }
    default:
      return [];
  }
}

/** Products as kernels; what the operator reads and writes counts with the first. */
export function productKernels(
  local: LocalOperator,
  products: readonly ProductSizes[],
): readonly Kernel[] {
  const arithmetic = arithmeticOf(local);
  const isEven = isAligned(local.inputs);
  return products.map(({ batch, rows, columns, inner }, at) => ({
    class: "product",
    arithmetic,
    isAligned: isEven,
    batch,
    rows,
    columns,
    inner,
    bytes: at === 0 ? touchedBytes(local) : 0,
  }));
}
