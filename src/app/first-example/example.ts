import { joinTexts } from "#language/texts";

/** A program to open, learn from and test with. */
export interface Example {
  /** Name in links (`#example=`) and on the command line. */
  readonly name: string;
  readonly title: string;
  /** One sentence about its subject and origin. */
  readonly note: string;
  readonly program: string;
  /** The parameter count that its authors publish, for a full-size model. */
  readonly parameters?: number;
  /** The plan, if it is a separate text beside the program. */
  readonly plan?: string;
  /** The gesture to try first: put the mesh axis on this dim of this tensor. */
  readonly hint?: { readonly tensor: string; readonly dim: number; readonly axis: string };
  /** The tensors on its gallery card, instead of its most expensive redistribution. */
  readonly shows?: readonly string[];
  /** The code of the program's one intended error. */
  readonly fault?: string;
}

/** The editor text of an example: its program, joined with the plan if there is one. */
export function exampleText({ program, plan = "" }: Example): string {
  return joinTexts(program, plan);
}

/** Examples on one subject, in reading order. */
export interface ExampleGroup {
  readonly title: string;
  readonly examples: readonly Example[];
}
