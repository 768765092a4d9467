// Result of scanning a text: logical lines, open brackets and blemishes.

import type { Token } from "./tokens.ts";

/** An open bracket. */
export interface OpenBracket {
  readonly at: number;
  readonly mark: string;
}

/** A logical line: the text between two line ends outside brackets and strings. */
export interface LogicalLine {
  readonly from: number;
  /** After the last token, before comment and line end. */
  to: number;
  /** Width of its indentation, with tabs as Python counts them. */
  readonly indent: number;
  /** White space before it; characters other than tabs count as spaces. */
  readonly margin: string;
  /** Tokens of the line; the last one is its end. */
  readonly tokens: Token[];
  /** Unclosed brackets, outermost first. */
  readonly unclosed: readonly OpenBracket[];
}

/** Text that is illegal anywhere in Python. */
export type Blemish =
  | { readonly kind: "fence"; readonly at: number; readonly to: number }
  | {
      readonly kind: "unmatched";
      readonly at: number;
      readonly mark: string;
      /** Innermost open bracket, which the closing one does not match. */
      readonly open?: OpenBracket;
      /**
       * Repair of a closing bracket: others closed before it, another bracket in its place, or
       * none.
       */
      readonly remedy: "insert" | "replace" | "leave out";
      /** Text that is inserted, or that replaces the bracket. */
      readonly meant: string;
    }
  | {
      readonly kind: "unterminated";
      readonly at: number;
      readonly to: number;
      readonly quotes: string;
      /** Offset of the missing closing quote. */
      readonly end: number;
    }
  | { readonly kind: "character"; readonly at: number; readonly character: string };

/** Logical lines of a text, and its blemishes. */
export interface Scan {
  readonly lines: readonly LogicalLine[];
  readonly blemishes: readonly Blemish[];
}
