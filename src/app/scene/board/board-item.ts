import type { Operator, OperatorId } from "#core/ir";

/** One of the equal modules that a board module represents. */
export interface BoardRun {
  readonly path: string;
  /** Operators in program order; those at the same index correspond in every run. */
  readonly operators: readonly OperatorId[];
}

/** A module of the text (equal ones merged), or a counted group of rows without a module. */
export interface BoardModule {
  readonly kind: "module" | "group";
  /** Key by which the module opens; stable across edits. */
  readonly key: string;
  readonly name: string;
  readonly runs: readonly BoardRun[];
  /** Index of the shown run. */
  readonly shown: number;
  /** The items of the shown run. */
  readonly items: readonly BoardItem[];
  /** Whether the module's siblings are merged as equal and this one differs from them. */
  readonly isOdd: boolean;
}

/** A single row, or a module with rows. */
export type BoardItem = { readonly kind: "operator"; readonly operator: Operator } | BoardModule;

/** All operators of an item, over all runs. */
export function operatorsOfItem(item: BoardItem): readonly OperatorId[] {
  return item.kind === "operator"
    ? [item.operator.id]
    : item.runs.flatMap(({ operators }) => operators);
}
