import type { LinksOf, Ref } from "./links.ts";

/** Parameters and links of a primitive that the operator library lacks. */
export interface PrimitiveSpec {
  /** Parameters of its constructor. */
  readonly constructed: readonly string[];
  /** Parameters of its call. */
  readonly called: readonly string[];
  /** The parameters of its call that are tensors. */
  readonly tensors: readonly string[];
  /** Whether the first parameter is a tuple of tensors. */
  readonly isVariadic?: boolean;
  /** Whether its results come as a tuple, even a single one. */
  readonly givesTuple?: boolean;
  /** Whether parameters accept lists of tensors, whose members are separate operands. */
  readonly takesLists?: boolean;
  readonly links: LinksOf;
  readonly takesLayouts?: boolean;
  /**
   * Dims that batch parallel splits; by default those of the same class as dim 0 of the first
   * input.
   */
  readonly batch?: readonly Ref[];
  /**
   * Whether the default strategy splits only dim 0 of the first input, even if its own checks then
   * refuse that.
   */
  readonly splitsFirst?: boolean;
  /**
   * Parameters that are operands if given as tensors, and whose constant elements shapes depend on.
   */
  readonly held?: readonly string[];
  /** Data type of the results, if it differs from that of the first input. */
  readonly dtype?: "bool" | "i32" | "i64";
}

/** One line of a table: names, parameters of constructor and call, links, and further fields. */
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
 * The specs of a table's rows by primitive. In `called`, parameters that are no tensors stand in
 * brackets: `x [dim] index`.
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
