import type { BoundCall } from "#core/ir";
import type { Body, Definition, Expr, Table } from "#core/ir/body";

/** The tables of a body, by the way in which they are computed. */
export interface ArrangedTables {
  /** Tables without a sum of their own: computed at each read. */
  readonly inline: ReadonlyMap<string, Expr>;
  /** Tables that several cells read: stored. */
  readonly stored: readonly Table[];
  /** Tables with an entry for every cell of a result: summed up right before the cell. */
  foldsOf(output: number): readonly (Definition & { readonly name: string })[];
}

/** Decides for every table of a body whether it is worth a buffer. */
export function arrangeTables(body: Body, call: BoundCall): ArrangedTables {
  const inline = new Map<string, Expr>();
  const summed: Table[] = [];
  for (const table of body.tables) {
    if (table.over.length === 0) inline.set(table.name, table.value);
    else summed.push(table);
  }
  const readers = (name: string) => ({
    tables: summed.filter((table) => reads(table.value, name, inline)),
    outputs: [...body.outputs.keys()].filter((at) => {
      const { value } = body.outputs[at] ?? { value: undefined };
      return value !== undefined && reads(value, name, inline);
    }),
  });
  const fused = new Map<string, number>();
  for (const table of summed) {
    const { tables, outputs } = readers(table.name);
    const [only] = outputs;
    if (tables.length > 0 || outputs.length !== 1 || only === undefined) continue;
    if (isOwn(table, body.outputs[only], call, only)) fused.set(table.name, only);
  }
  return {
    inline,
    stored: summed.filter(({ name }) => !fused.has(name)),
    foldsOf: (output) =>
      summed
        .filter(({ name }) => fused.get(name) === output)
        .map(({ name, over, combine, value }) => ({ name, over, combine, value })),
  };
}

/** Whether every cell of a result has an entry of its own in a table. */
function isOwn(
  { axes }: Table,
  definition: Definition | undefined,
  call: BoundCall,
  at: number,
): boolean {
  if (definition === undefined || definition.over.length > 0) return false;
  const output = call.outputs[at];
  const names = new Set(axes.map(({ axis }) => axis));
  const known = new Set(call.axes.map(({ name }) => name));
  return (output?.dims ?? []).every(({ identifiers }, dim) => {
    const own = identifiers.filter((name) => known.has(name));
    if (own.length > 0) return own.every((name) => names.has(name));
    return (output?.shape[dim] ?? 1) === 1 || names.has(`#${dim}`);
  });
}

/** Whether an expression reads a table, directly or through an inlined table. */
function reads(expr: Expr, name: string, inline: ReadonlyMap<string, Expr>): boolean {
  switch (expr.kind) {
    case "number":
    case "index":
      return false;
    case "table": {
      if (expr.name === name) return true;
      const inner = inline.get(expr.name);
      return inner !== undefined && reads(inner, name, inline);
    }
    case "read":
      return expr.at?.some((each) => reads(each, name, inline)) ?? false;
    case "apply":
      return expr.args.some((arg) => reads(arg, name, inline));
  }
}

/** The reads of an expression: stored tables by name, and operands by number. */
export function namesIn(expr: Expr, inline: ReadonlyMap<string, Expr>): readonly string[] {
  switch (expr.kind) {
    case "number":
    case "index":
      return [];
    case "table": {
      const inner = inline.get(expr.name);
      return inner === undefined ? [expr.name] : namesIn(inner, inline);
    }
    case "read":
      return [`operand ${expr.operand}`, ...(expr.at ?? []).flatMap((at) => namesIn(at, inline))];
    case "apply":
      return expr.args.flatMap((arg) => namesIn(arg, inline));
  }
}
