import type { Value } from "#language/python";
import { bindArguments, hostFunction, none, text, textOf } from "./values/values.ts";

/**
 * `re.split` on plain text, as model files use it to split block strings; other calls go to
 * `otherwise`. Patterns must mean the same in JavaScript and run fast: few repetitions, no repeated
 * groups, no empty match.
 */
export function splitWord(otherwise: Value): Value {
  return hostFunction("split", (args, context, span) => {
    const { bound, extra } = bindArguments(["pattern", "string"], args);
    const [pattern, given] = ["pattern", "string"].map((name) => textOf(bound.get(name)?.value));
    const isRead = extra.length === 0 && pattern !== undefined && given !== undefined;
    if (!isRead || !isPlainPattern(pattern) || !isPlainText(given))
      return context.call(otherwise, args, span);
    const parts: readonly (string | undefined)[] = given.split(new RegExp(pattern, "s"));
    return { kind: "list", items: parts.map((part) => (part === undefined ? none : text(part))) };
  });
}

/** Characters, character classes and `.`; groups are not repeated. */
const piece = String.raw`(?:[A-Za-z0-9_ ,:;=@-]|\\[dws.]|\.|\[[A-Za-z0-9_ ,:;-]+\])`;
const plain = new RegExp(`^(?:\\(?${piece}[*+]?\\)?)+$`);

function isPlainPattern(pattern: string): boolean {
  if (pattern.length > 100 || !plain.test(pattern)) return false;
  const repeats = pattern.match(/[*+]/g)?.length ?? 0;
  if (repeats > 2 || /\)[*+?]/.test(pattern) || matches(pattern, "") !== false) return false;
  return true;
}

/** Whether a pattern matches a text; `undefined` for an invalid pattern. */
function matches(pattern: string, given: string): boolean | undefined {
  try {
    return new RegExp(pattern, "s").test(given);
  } catch {
    return undefined;
  }
}

/**
 * Whether a text is one ASCII line, so that `.`, `\d` and `\w` mean the same in Python and
 * JavaScript.
 */
function isPlainText(given: string): boolean {
  return given.length <= 1000 && /^[\x20-\x7e]*$/.test(given);
}
