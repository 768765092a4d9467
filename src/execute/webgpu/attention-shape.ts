import type { Definition, Expr, Loop, Table } from "#core/ir/body";
import { pinnedLoop } from "#execute/engine";
import { haveCounters, type RowResult, type RowTask } from "./row-kernel.ts";

/** Threads of a workgroup that makes rows of an attention, and the most rows that it makes. */
export const attentionThreads = 64;
const mostRows = 16;

/** Rows of scores, sums along them, and a result that sums up along them once more. */
export interface Attention {
  readonly scores: Table;
  readonly sums: readonly Table[];
  readonly result: RowResult;
  readonly column: Loop;
  readonly columns: number;
  /** The axes of the rows: a workgroup makes several along the last of them. */
  readonly axes: readonly Loop[];
  /** Rows of a workgroup. */
  readonly rows: number;
}

/**
 * The parts of a task that is an attention: scores of rows and columns, whose rows fit into a
 * workgroup's memory, so that they need no buffer. A CPU has no such memory.
 */
export function attentionIn(task: RowTask): Attention | undefined {
  const { tables, results, rangeOf, traits } = task;
  const [scores, ...sums] = tables;
  const [result, ...others] = results;
  const [column, ...loops] = result?.definition.over ?? [];
  if (traits.isCpu || scores === undefined || result === undefined || column === undefined) {
    return undefined;
  }
  if (others.length + loops.length > 0 || result.definition.combine !== "sum") return undefined;
  const all = [...tables, result.definition];
  if (scores.over.length === 0 || all.some((each) => pinnedLoop(each) !== undefined)) {
    return undefined;
  }
  const axes = scores.axes.filter(({ axis }) => axis !== column.axis);
  const areSums = sums.every((table) => isSumAlong(table, axes, column));
  if (axes.length === 0 || axes.length === scores.axes.length || !areSums) return undefined;
  const columns = rangeOf(column).length;
  const rows = rowsFor(columns, traits.workgroupBytes);
  if (rows < 1 || !haveCounters(axes, result.space, rangeOf)) return undefined;
  const found = { scores, sums, result, column, axes, columns, rows };
  // A factor that depends on the cell must not read the scores: their weights have replaced them.
  const { moving } = factorsOf(result.definition, found, task.scope);
  return moving.some((expr) => readsTable(expr, scores.name, task.scope)) ? undefined : found;
}

/** Whether an expression reads a table, directly or through an inlined table. */
function readsTable(expr: Expr, name: string, scope: RowTask["scope"]): boolean {
  const isRead = (each: Expr) => readsTable(each, name, scope);
  if (expr.kind === "read") return expr.at?.some(isRead) ?? false;
  if (expr.kind === "apply") return expr.args.some(isRead);
  if (expr.kind !== "table") return false;
  const inner = scope.tables.get(expr.name);
  const isExpr = inner !== undefined && !("text" in inner) && !("buffer" in inner);
  return expr.name === name || (isExpr && isRead(inner));
}

function isSumAlong({ axes, over }: Table, rows: readonly Loop[], column: Loop): boolean {
  const names = (loops: readonly Loop[]) => String(loops.map(({ axis }) => axis));
  return names(axes) === names(rows) && names(over) === column.axis;
}

/** The most rows that fit, each with its scores and a share of every thread; 0 if none fits. */
function rowsFor(columns: number, bytes: number): number {
  const fitting = Math.floor(bytes / (4 * (columns + attentionThreads)));
  return fitting < 1 ? 0 : Math.min(mostRows, 2 ** Math.floor(Math.log2(fitting)));
}

/**
 * The factors of a sum: those that depend on a row and a column alone, and those that depend on the
 * cell.
 */
export function factorsOf(
  { value }: Definition,
  { axes, column }: Attention,
  scope: RowTask["scope"],
): { readonly fixed: Expr; readonly moving: readonly Expr[] } {
  const parts = value.kind === "apply" && value.function === "mul" ? value.args : [value];
  const known = new Set([...axes, column].map(({ axis }) => axis));
  const isFixed = (expr: Expr) => !readsBeside(expr, known, scope);
  return {
    fixed: productOf(parts.filter(isFixed)),
    moving: parts.filter((part) => !isFixed(part)),
  };
}

/** A product of expressions. */
export function productOf(parts: readonly Expr[]): Expr {
  const [only, ...others] = parts;
  if (only === undefined) return { kind: "number", value: 1 };
  return others.length === 0 ? only : { kind: "apply", function: "mul", args: parts };
}

/** Whether an expression depends on anything except some known indices. */
function readsBeside(expr: Expr, known: ReadonlySet<string>, scope: RowTask["scope"]): boolean {
  switch (expr.kind) {
    case "number":
      return false;
    case "index":
      return !known.has(expr.axis);
    case "read": {
      const names = scope.call.inputs[expr.operand]?.dims.flatMap(({ identifiers }) => identifiers);
      return expr.at !== undefined || names?.every((name) => known.has(name)) !== true;
    }
    case "table": {
      const inner = scope.tables.get(expr.name);
      const isExpr = inner !== undefined && !("text" in inner) && !("buffer" in inner);
      return isExpr && readsBeside(inner, known, scope);
    }
    case "apply":
      return expr.args.some((arg) => readsBeside(arg, known, scope));
  }
}
