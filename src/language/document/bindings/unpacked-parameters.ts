import { codeOf } from "./code-of.ts";

/**
 * The names into which functions of a text unpack a parameter: `cos, sin = freqs`. A caller must
 * give as many tensors. `undefined` where such a function assigns the parameter, or where functions
 * unpack it in different ways. A name `_` is replaced by its place.
 */
export function unpackedNames(name: string, source: string): readonly string[] | undefined {
  // Most parameters are unpacked nowhere: the text is split for the others alone.
  if (!new RegExp(`=[ \\t]*${name}[ \\t]*(?:#.*)?$`, "mu").test(source)) return undefined;
  const takers = codeOf(source)
    .split(/^[ \t]*(?:async[ \t]+)?def\b/mu)
    .slice(1)
    .filter((each) => new RegExp(`^[^)]*[(,][\\s*]*${name}\\b`, "u").test(each))
    .map((each) => each.replace(/^[^)]*\)/u, ""));
  // With spaces around it: a call that goes on in the next line has its keywords without.
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
