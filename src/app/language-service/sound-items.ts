import { createParser } from "#language/python";
import type { CompletionItem, CompletionList } from "./completion.ts";

/** The longest text that is read for every list. */
const longest = 200_000;

/**
 * The items of a list that leave the text as well formed as it is: one that makes a new fault of
 * the grammar, or grows together with the word beside it, is left out.
 */
export function soundItems(source: string, list: CompletionList): CompletionList {
  const { span, items } = list;
  const open = items.filter(({ insert }) => !growsTogether(source, list, insert));
  if (open.length === 0 || source.length > longest) return { span, items: open };
  const parse = createParser();
  const faults = (text: string) => parse(text, true).diagnostics.length;
  const before = faults(source);
  const isSound = new Map<string, boolean>();
  const sound = (item: CompletionItem) => {
    const shape = shapeOf(item.insert);
    const known = isSound.get(shape);
    if (known !== undefined) return known;
    const after = faults(source.slice(0, span.from) + withValue(item) + source.slice(span.to));
    isSound.set(shape, after <= before);
    return after <= before;
  };
  return { span, items: open.filter(sound) };
}

/** The item as it is tried: behind `k=` stands a number, without which no text could be read. */
function withValue({ insert }: CompletionItem): string {
  return insert.endsWith("=") ? `${insert}0` : insert;
}

/** Texts of one shape are the same to the grammar: words are one word, numbers one number. */
function shapeOf(insert: string): string {
  return insert.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, "x").replace(/\d+/g, "1");
}

function growsTogether(source: string, { span }: CompletionList, insert: string): boolean {
  const isMet = (one = "", other = "") =>
    (isWord.test(one) && isWord.test(other)) || (isQuote.test(one) && isQuote.test(other));
  return isMet(source[span.from - 1], insert[0]) || isMet(insert.at(-1), source[span.to]);
}

const isWord = /[\p{L}\p{N}_]/u;
const isQuote = /["']/;
