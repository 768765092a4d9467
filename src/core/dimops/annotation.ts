import type { Span } from "#core/diagnostics";

/** `""` may be split, `+` may be split and sums, `^` may not be split. */
export type Reduction = "" | "+" | "^";

/** Occurrence of an identifier in a text; numbers, `*` and `?` are identifiers too. */
export interface Identifier {
  /** The text without its reduction; identity is the text (`007` is not `7`). */
  readonly name: string;
  readonly kind: "name" | "number" | "star" | "ignored";
  /** The reduction after freezing (dimops.md §1). */
  readonly reduction: Reduction;
  readonly span: Span;
}

/** Annotated dim: a single identifier, or the identifiers of a bracket, most major first. */
export interface DimAnno {
  readonly identifiers: readonly Identifier[];
  readonly span: Span;
}

/** One annotated tensor. `ignored` is true for a lone `?`: any object, replicated as a whole. */
export interface ShapeAnno {
  readonly dims: readonly DimAnno[];
  readonly ignored: boolean;
  readonly span: Span;
}

/** Annotation of an operator: its inputs before `->`, its outputs after it. */
export interface OpAnno {
  readonly inputs: readonly ShapeAnno[];
  readonly outputs: readonly ShapeAnno[];
}
