import { joinTexts } from "#language/texts";

/** A program to open, learn from and test with. */
export interface Example {
  /** Its name in links (`#example=`) and on the command line. */
  readonly name: string;
  readonly title: string;
  /** One sentence on what it shows and where it comes from. */
  readonly note: string;
  readonly program: string;
  /** The number of parameters that its authors publish, for a model at its full size. */
  readonly parameters?: number;
  /** The plan, where it stands beside the program and not in it. */
  readonly plan?: string;
  /** The gesture to try first: put the mesh axis on this dim of this tensor. */
  readonly hint?: { readonly tensor: string; readonly dim: number; readonly axis: string };
  /** The tensors on its gallery card, in place of its most expensive redistribution. */
  readonly shows?: readonly string[];
  /** The code of the one error that the program has on purpose. */
  readonly fault?: string;
}

/** The text of an editor that opens an example: its program, with the plan where there is one. */
export function exampleText({ program, plan = "" }: Example): string {
  return joinTexts(program, plan);
}

/** Examples that belong together, in the order in which to read them. */
export interface ExampleGroup {
  readonly title: string;
  readonly examples: readonly Example[];
}
