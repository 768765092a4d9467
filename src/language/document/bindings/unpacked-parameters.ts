import { codeOf } from "./code-of.ts";

/**
 * Names that functions of the text unpack a parameter into: `cos, sin = freqs`. A caller must pass
 * as many tensors. `undefined` when such a function assigns the parameter or functions differ. A
 * name `_` becomes its index.
 */
export function unpackedNames(name: string, source: string): readonly string[] | undefined {
  // Quick test first: most parameters are unpacked nowhere.
  if (!new RegExp(`=[ \\t]*${name}[ \\t]*(?:#.*)?$`, "mu").test(source)) return undefined;
  const takers = codeOf(source)
    .split(/^[ \t]*(?:async[ \t]+)?def\b/mu)
    .slice(1)
    .filter((each) => new RegExp(`^[^)]*[(,][\\s*]*${name}\\b`, "u").test(each))
    .map((each) => each.replace(/^[^)]*\)/u, ""));
  // Spaces around `=` are required, so that keywords of a multi-line call do not match.
  const given = new RegExp(
    `^[ \\t]*(?:[\\w.]+[ \\t]*,[ \\t]*)*${name}(?:[ \\t]*,[^=\\n]*)?[ \\t]+=[ \\t]`,
    "mu",
  );
  if (takers.some((each) => given.test(each))) return undefined;
  const statement = new RegExp(
    `^[ \\t(]*([A-Za-z_]\\w*(?:[ \\t]*,[ \\t]*[A-Za-z_]\\w*)+)[ \\t,)]*=[ \\t]*${name}[ \\t]*$`,
    "gmu",
  );
  const [first, ...others] = takers
    .flatMap((each) => [...each.matchAll(statement)])
    .map(([, names = ""]) => names.split(",").map((each) => each.trim()));
  const isOne = others.every((names) => names.length === first?.length);
  if (first === undefined || !isOne) return undefined;
  return first.map((each, at) => (/^_+$/u.test(each) ? `${name}_${at}` : each));
}
