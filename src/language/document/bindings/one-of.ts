import { type Argument, type Context, nearestName } from "#language/python";
import { writing } from "../fix.ts";
import { textOf } from "./values/values.ts";

/**
 * The known word that an argument gives. Raises ValueError for others, with a fix per similar known
 * word when the argument is a quoted string.
 *
 * @param what subject of the message, such as `the optimizer`
 */
export function oneOf<Word extends string>(
  what: string,
  argument: Argument,
  known: readonly Word[],
  context: Context,
): Word {
  const { value, span } = argument;
  const word = textOf(value);
  const found = known.find((each) => each === word);
  if (found !== undefined) return found;
  const quote = /^(['"])[^'"]*\1$/u.exec(context.source.slice(span.from, span.to))?.[1];
  const near = quote === undefined ? [] : nearWords(word ?? "", known);
  const fixes = near.map((each) => writing(span, `${quote}${each}${quote}`));
  const words = known.map((each) => `"${each}"`).join(", ");
  return context.raise("ValueError", `${what} is one of ${words}`, span, { fixes });
}

function nearWords<Word extends string>(word: string, known: readonly Word[]): readonly Word[] {
  const small = word.toLowerCase();
  const same = known.filter((each) => each === small);
  if (same.length > 0) return same;
  return known.filter((each) => nearestName(small, [each], 3) === each);
}
