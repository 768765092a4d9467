import type { Operator, OperatorId } from "#core/ir";

/** One of the equal modules that a module of the board stands for. */
export interface BoardRun {
  readonly path: string;
  /** In program order; those at one place do the same in every run. */
  readonly operators: readonly OperatorId[];
}

/** A module of the text, equal ones as one, or a counted group of rows without a module. */
export interface BoardModule {
  readonly kind: "module" | "group";
  /** Key by which it opens; the same from edit to edit. */
  readonly key: string;
  readonly name: string;
  readonly runs: readonly BoardRun[];
  /** Index of the shown run. */
  readonly shown: number;
  /** The items of the shown run. */
  readonly items: readonly BoardItem[];
  /** Whether others of its name are drawn as one, and it is not equal to them. */
  readonly isOdd: boolean;
}

/** A single row, or a module with rows. */
export type BoardItem = { readonly kind: "operator"; readonly operator: Operator } | BoardModule;

/** All operators of an item, of all runs. */
export function operatorsOfItem(item: BoardItem): readonly OperatorId[] {
  return item.kind === "operator"
    ? [item.operator.id]
    : item.runs.flatMap(({ operators }) => operators);
}
