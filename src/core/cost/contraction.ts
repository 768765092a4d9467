import { type Body, type Definition, type Expr, operatorBody, usedTables } from "#core/ir";
import type { Kernel, Product } from "./kernel.ts";
import type { LocalOperator } from "./local-operator.ts";
import { arithmeticOf, isAligned, touchedBytes } from "./work.ts";

/** The lengths of a matrix product. */
export type ProductSizes = Pick<Product, "batch" | "rows" | "columns" | "inner">;

type Axes = ReadonlySet<string>;

/**
 * The product that two factors make, from the axes of each and those that stay: what both have and
 * the result lacks is contracted. `undefined` where nothing is.
 */
export function productSizes(
  a: Axes,
  b: Axes,
  kept: Axes,
  sizeOf: (axis: string) => number,
): ProductSizes | undefined {
  let isProduct = false;
  const sizes = { batch: 1, rows: 1, columns: 1, inner: 1 };
  for (const axis of a) {
    const part = b.has(axis) ? (kept.has(axis) ? "batch" : "inner") : "rows";
    if (part === "rows" && !kept.has(axis)) continue;
    if (part === "inner") isProduct = true;
    sizes[part] *= sizeOf(axis);
  }
  for (const axis of b) if (kept.has(axis) && !a.has(axis)) sizes.columns *= sizeOf(axis);
  return isProduct ? sizes : undefined;
}

/** Products that the operands of an operator make one after the other, by its annotation alone. */
export function productsOfOperands(local: LocalOperator): readonly ProductSizes[] {
  const kept = axesOf(local, local.outputs);
  const [first, ...rest] = local.inputs.map((operand) => axesOf(local, [operand]));
  const products: ProductSizes[] = [];
  let done: Axes = first ?? new Set();
  for (const [at, next] of rest.entries()) {
    const needed = new Set([...kept, ...rest.slice(at + 1).flatMap((axes) => [...axes])]);
    const product = productSizes(done, next, needed, local.sizeOf);
    if (product !== undefined) products.push(product);
    done = new Set([...done, ...next].filter((axis) => needed.has(axis)));
  }
  return products;
}

function axesOf({ operator }: LocalOperator, operands: LocalOperator["inputs"]): Axes {
  const names = new Set(operands.flatMap(({ dims }) => dims.flat()));
  return new Set(operator.axes.flatMap(({ name }) => (names.has(name) ? [name] : [])));
}

/** Products that the body of an operator makes, of tables and of results. */
export function productsOfBody(local: LocalOperator): readonly ProductSizes[] {
  const { body } = operatorBody(local.operator, local.shapeOf);
  const tables = usedTables(body);
  const axesOfTable = new Map(tables.map(({ name, axes }) => [name, axes.map(({ axis }) => axis)]));
  const loops = loopSizes(body);
  const sizeOf = (axis: string) => {
    const place = /^#(\d+)$/u.exec(axis)?.[1];
    if (place !== undefined) return local.outputs[0]?.shape[Number(place)] ?? 1;
    return loops.get(axis) ?? local.sizeOf(axis);
  };
  const axesIn = (expr: Expr): Axes => new Set(namesIn(expr, local, axesOfTable));
  return [...tables, ...body.outputs].flatMap((definition) =>
    productOf(definition, axesIn, sizeOf),
  );
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
  const summed = new Set(over.map(({ axis }) => axis));
  const found = factorGroups(value).flatMap((factors) => {
    const [a, b] = factors.map(axesIn).sort((x, y) => y.size - x.size);
    if (a === undefined || b === undefined) return [];
    const kept = new Set([...a, ...b].filter((axis) => !summed.has(axis)));
    return productSizes(a, b, kept, sizeOf) ?? [];
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
      return operand === undefined ? [] : [...axesOf(local, [operand])];
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
  const shared = {
    class: "product",
    arithmetic: arithmeticOf(local),
    isAligned: isAligned(local.inputs),
  } as const;
  return products.map((sizes, at) => ({
    ...shared,
    ...sizes,
    bytes: at === 0 ? touchedBytes(local) : 0,
  }));
}
