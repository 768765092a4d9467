import { callAround, openBracketsAt } from "#language/tokens";
import type { Signature } from "#systems/system/explain";
import { boundNames, type Facts } from "./facts.ts";
import { headOf, signatureOf } from "./signatures.ts";

/** The signature of the call being typed, and the parameter at the caret. */
export interface SignatureHelp {
  readonly label: string;
  readonly meaning: string;
  readonly parameters: readonly { readonly shown: string; readonly meaning: string }[];
  /** Index of the parameter; past the last one if none fits. */
  readonly active: number;
}

/** The signature of the innermost call around an offset that has a known one. */
export function signatureAt(facts: Facts, offset: number): SignatureHelp | undefined {
  const open = openBracketsAt(facts.source, facts.tokens, offset);
  for (let depth = open.length; depth > 0; depth -= 1) {
    const around = callAround(open.slice(0, depth));
    if (around === undefined) return undefined;
    const signature =
      ownSignature(facts, around.call.callee) ?? signatureOf(around.call.callee, boundNames(facts));
    if (signature === undefined) continue;
    const { keyword } = around.call;
    return {
      label: headOf(signature),
      meaning: signature.meaning,
      parameters: signature.parameters.map(({ shown, meaning }) => ({ shown, meaning })),
      active: activeIn(signature, around.path[0] ?? 0, keyword),
    };
  }
  return undefined;
}

function activeIn({ parameters }: Signature, index: number, keyword: string | undefined): number {
  const gathering = parameters.findIndex(({ name }) => name.startsWith("*"));
  const named = parameters.findIndex(({ name }) => name === keyword);
  if (keyword !== undefined) return named >= 0 ? named : gathering >= 0 ? gathering : index;
  return gathering >= 0 && index >= gathering ? gathering : index;
}

/**
 * The signature of a function defined in the text: its parameters as written, its call as the
 * meaning.
 */
function ownSignature({ source, compiled }: Facts, callee: string): Signature | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(callee)) return undefined;
  const head = new RegExp(`^[ \\t]*def ${callee}\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, "mu").exec(
    source,
  );
  if (head === null) return undefined;
  const parameters = (head[1] ?? "")
    .split(/,(?![^[(]*[\])])/)
    .map((text) => text.trim().replace(/\s+/g, " "))
    .filter((text) => text !== "" && text !== "/" && text !== "*")
    .map((shown) => ({ name: /^\*{0,2}\w+/.exec(shown)?.[0] ?? shown, shown, meaning: "" }));
  const operator = compiled.graph.operators.find(({ op }) => op === callee);
  return { name: callee, parameters, meaning: operator?.call ?? "" };
}
