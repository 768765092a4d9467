import type { BoundCall } from "#core/ir";
import type { Body, Expr } from "#core/ir/body";

/** A sub-expression shared by several results. */
interface SharedPart {
  readonly value: Expr;
  /** Position of the last result that equals it. */
  readonly output?: number;
}

/** Key of an expression: equal expressions have equal keys. */
export function partKey(expr: Expr): string {
  return JSON.stringify(expr);
}

/**
 * Sub-expressions that occur in several results of an operator, or twice in one, inner ones first.
 * An optimizer's averages, for example, are results and occur in the new parameter. Only for
 * results over the same indices, each of which is a map.
 */
export function sharedParts(call: BoundCall, { tables, outputs }: Body): readonly SharedPart[] {
  const dims = new Set(call.outputs.map((output) => JSON.stringify(output.dims)));
  const isMap = outputs.every(({ over }) => over.length === 0);
  if (outputs.length < 2 || tables.length > 0 || dims.size > 1 || !isMap) return [];
  const parts = new Map<string, { value: Expr; count: number; output?: number }>();
  const visit = (value: Expr): void => {
    if (value.kind !== "apply") return;
    const key = partKey(value);
    const known = parts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    for (const arg of value.args) visit(arg);
    parts.set(key, { value, count: 1 });
  };
  for (const [output, { value }] of outputs.entries()) {
    visit(value);
    const part = parts.get(partKey(value));
    if (part !== undefined) part.output = output;
  }
  return [...parts.values()].filter(({ count }) => count > 1);
}
