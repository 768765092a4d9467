import { createParser } from "#language/python";
import type { CompletionItem, CompletionList } from "./completion.ts";

/** Longest text (characters) that is parsed for every list. */
const longest = 200_000;

/**
 * The items of a list that keep the text well formed: items that cause a new syntax error, or that
 * merge with the adjacent word, are left out.
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

/**
 * The text that is tried for an item: after `k=` it has a number, since the text could not be
 * parsed without a value.
 */
function withValue({ insert }: CompletionItem): string {
  return insert.endsWith("=") ? `${insert}0` : insert;
}

/** Normal form of an inserted text for the grammar: all words and all numbers become equal. */
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
