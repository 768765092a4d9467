import type { Value } from "#language/python";
import { bindArguments, hostFunction, none, text, textOf } from "./values/values.ts";

/**
 * `re.split` of plain text, as model files split their strings of blocks; other calls go to
 * `otherwise`. Only patterns are read that mean the same in JavaScript and run quickly there: few
 * repetitions, none of a group, and none that may match nothing.
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

/** Letters, digits, classes of them and `.`, in groups that nothing repeats. */
const piece = String.raw`(?:[A-Za-z0-9_ ,:;=@-]|\\[dws.]|\.|\[[A-Za-z0-9_ ,:;-]+\])`;
const plain = new RegExp(`^(?:\\(?${piece}[*+]?\\)?)+$`);

function isPlainPattern(pattern: string): boolean {
  if (pattern.length > 100 || !plain.test(pattern)) return false;
  const repeats = pattern.match(/[*+]/g)?.length ?? 0;
  if (repeats > 2 || /\)[*+?]/.test(pattern) || matches(pattern, "") !== false) return false;
  return true;
}

/** Whether a pattern matches a text; `undefined` of one that is no pattern. */
function matches(pattern: string, given: string): boolean | undefined {
  try {
    return new RegExp(pattern, "s").test(given);
  } catch {
    return undefined;
  }
}

/** One line of ASCII, of which `.`, `\d` and `\w` mean the same in both languages. */
function isPlainText(given: string): boolean {
  return given.length <= 1000 && /^[\x20-\x7e]*$/.test(given);
}
