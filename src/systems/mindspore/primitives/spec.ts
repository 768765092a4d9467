import type { LinksOf, Ref } from "./links.ts";

/** A primitive that the operator library does not have: how it is called, and how its dims belong together. */
export interface PrimitiveSpec {
  /** Parameters of its constructor. */
  readonly constructed: readonly string[];
  /** Parameters of its call. */
  readonly called: readonly string[];
  /** The parameters that are tensors. */
  readonly tensors: readonly string[];
  /** The first parameter is a tuple of tensors. */
  readonly isVariadic?: boolean;
  /** Its results come as a tuple, also a single one. */
  readonly givesTuple?: boolean;
  /** Parameters that take a list of tensors stand for all of its members, each an operand. */
  readonly takesLists?: boolean;
  readonly links: LinksOf;
  readonly takesLayouts?: boolean;
  /** Dims that batch parallel splits; those that go with dim 0 of the first input when unsaid. */
  readonly batch?: readonly Ref[];
  /**
   * Without a strategy dim 0 of its first input alone is split, also where its own checks then
   * refuse that.
   */
  readonly splitsFirst?: boolean;
  /** Parameters that are operands where tensors are given, whose elements shapes depend on. */
  readonly held?: readonly string[];
  /** Data type of the results, where it is not that of the first input. */
  readonly dtype?: "bool" | "i32" | "i64";
}

/** Names, their constructor's and call's parameters, and their links: one line of a table. */
export type SpecRow = readonly [
  names: string,
  constructed: string,
  called: string,
  links: LinksOf,
  more?: Partial<
    Pick<
      PrimitiveSpec,
      | "isVariadic"
      | "takesLists"
      | "givesTuple"
      | "takesLayouts"
      | "batch"
      | "splitsFirst"
      | "held"
      | "dtype"
    >
  >,
];

/**
 * The lines of a table by primitive. In `called`, what is no tensor stands in brackets:
 * `x [dim] index`.
 */
export function specsIn(rows: readonly SpecRow[]): readonly (readonly [string, PrimitiveSpec])[] {
  return rows.flatMap(([names, constructed, called, links, more]) => {
    const parameters = wordsIn(called);
    const spec: PrimitiveSpec = {
      constructed: wordsIn(constructed),
      called: parameters.map((word) => word.replace(/[[\]]/gu, "")),
      tensors: parameters.filter((word) => !word.startsWith("[")),
      links,
      ...more,
    };
    return wordsIn(names).map((name) => [name, spec] as const);
  });
}

function wordsIn(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}
