// What a scan of a text finds: its logical lines, open brackets and blemishes.

import type { Token } from "./tokens.ts";

/** A bracket that is open. */
export interface OpenBracket {
  readonly at: number;
  readonly mark: string;
}

/** One statement line: what stands between two line ends outside brackets and strings. */
export interface LogicalLine {
  readonly from: number;
  /** After the last token, before comment and line end. */
  to: number;
  /** How far in it stands, tabs as Python counts them. */
  readonly indent: number;
  /** The white space before it; whatever is no tab is a space. */
  readonly margin: string;
  /** The last one is the end. */
  readonly tokens: Token[];
  /** Brackets that nothing closes, outermost first. */
  readonly unclosed: readonly OpenBracket[];
}

/** Something that no Python text may hold. */
export type Blemish =
  | { readonly kind: "fence"; readonly at: number; readonly to: number }
  | {
      readonly kind: "unmatched";
      readonly at: number;
      readonly mark: string;
      /** The innermost bracket that is open there, which it does not close. */
      readonly open?: OpenBracket;
      /**
       * The repair of the bracket: others closed in front of it, another bracket in its place, or
       * none.
       */
      readonly remedy: "insert" | "replace" | "leave out";
      /** The text that is inserted, or that replaces the bracket. */
      readonly meant: string;
    }
  | {
      readonly kind: "unterminated";
      readonly at: number;
      readonly to: number;
      readonly quotes: string;
      /** Where its closing quote is missing. */
      readonly end: number;
    }
  | { readonly kind: "character"; readonly at: number; readonly character: string };

/** A text cut into statement lines, and what it holds that no Python text may. */
export interface Scan {
  readonly lines: readonly LogicalLine[];
  readonly blemishes: readonly Blemish[];
}
