// Assumed value of a constructor's parameter, from its name, type hint and uses.

import type { ClassValue, Value } from "#language/python";
import { codeOf } from "./code-of.ts";
import { integer, text } from "./values/values.ts";

/** A plain value and its source text. */
export interface AssumedValue {
  readonly text: string;
  readonly value: Value;
}

/** A constructor's parameter and the source of its class. */
interface Asked {
  readonly name: string;
  readonly hint: string;
  /** Source of the class and its bases; `code` is the same with strings and comments blanked. */
  readonly body: string;
  readonly code: string;
  readonly width: number;
}

/**
 * Assumed value of a parameter: False for a bool hint, the first string the class compares it with,
 * a tuple where the class iterates it or the hint says so, else a number chosen by name.
 */
export function assumedValue(
  name: string,
  hint: string,
  { mro }: ClassValue,
  source: string,
): AssumedValue {
  const bodies = mro.map(({ span }) =>
    span === undefined ? "" : source.slice(span.from, span.to),
  );
  const body = bodies.join("\n");
  const asked: Asked = { name, hint, body, code: codeOf(body), width: widthIn(source) };
  if (/^bool\b/u.test(hint)) return { text: "False", value: { kind: "bool", value: false } };
  const compared = comparedText(asked);
  if (compared !== undefined) return { text: `"${compared}"`, value: text(compared) };
  const length = rowLength(asked);
  if (length !== undefined) return rowOf(asked, length);
  const number = assumedNumber(name, asked.width);
  return { text: String(number), value: integer(number) };
}

/**
 * Assumed number for a parameter, chosen by its name.
 *
 * @param width number of features
 */
export function assumedNumber(name: string, width = usualWidth): number {
  if (/drop|eps|prob|rate/.test(name)) return 0;
  if (/vocab/.test(name)) return 64;
  if (/im(age|g).*size|size.*im(age|g)|resolution/.test(name)) return 32;
  if (/patch/.test(name)) return 4;
  if (/kernel/.test(name)) return 3;
  if (/stride|dilation/.test(name)) return 1;
  if (/(?:^|_)ratio|factor|reduction|mult(?!ip)/.test(name)) return 4;
  if (/layer|depth|block|head|group|expert|iter/.test(name)) return 2;
  return /dim|width|chan|embe?d|hidden|feature|planes|model|^ch$|_ch$/.test(name)
    ? width
    : usualWidth;
}

const usualWidth = 16;

/**
 * Assumed number of features: the largest 32 or 64 that the text divides by (norm groups, head
 * sizes), else the usual width.
 */
function widthIn(source: string): number {
  const divisors = [
    ...source.matchAll(/\bGroupNorm\(\s*(?:num_groups\s*=\s*)?(\d+)|\/\/ ?(\d+)/gu),
  ];
  const sizes = divisors.map(([, groups, by]) => Number(groups ?? by));
  return Math.max(usualWidth, ...sizes.filter((size) => size === 32 || size === 64));
}

/**
 * The first string that the class compares a parameter with: `if kind == "lstm"`, `if kind in
 * ("lstm", "gru")`. `undefined` when there is none or the hint is not of a string.
 */
function comparedText({ name, hint, body }: Asked): string | undefined {
  if (hint !== "" && !/\bstr\b|Literal/u.test(hint)) return undefined;
  const found = new RegExp(
    String.raw`\b${name}(?:\.lower\(\))?\s*(?:==|in\s*[[({])\s*["']([\w-]+)["']`,
    "u",
  );
  return found.exec(body)?.[1];
}

/** Number of items of a parameter that is a row; `undefined` for a parameter that is none. */
function rowLength({ name, hint, code }: Asked): number | undefined {
  const hinted = /^(?:\w+\.)?(?:List|Tuple|Sequence|Iterable|list|tuple)\b(?:\[(.*)\])?$/u.exec(
    hint,
  );
  const items = /^(?:\w+\.)?[Tt]uple/u.test(hint) ? (hinted?.[1]?.split(",") ?? []) : [];
  const isFixed = items.length > 1 && !items.some((each) => each.trim() === "...");
  const own = String.raw`(?<![\w.])(?:self\.)?${name}`;
  const uses = [
    String.raw`\bin (?:enumerate\(|reversed\(|list\(|zip\((?:[^()]*, ?)?)?${own}\b(?!\s*[.([])`,
    String.raw`\blen\(${own}\)`,
    String.raw`${own}\[(?!\s*\])`,
    String.raw`[[(,]\s*\*${own}\b`,
  ];
  const isUsed = uses.some((use) => new RegExp(use, "u").test(code));
  if (hinted === null && (!isUsed || /^(?:int|float|str|dict|Dict)\b/u.test(hint)))
    return undefined;
  const places = [...code.matchAll(new RegExp(String.raw`${own}\[(\d+)\]`, "gu"))];
  const said = new RegExp(String.raw`\blen\(${own}\) == (\d+)`, "u").exec(code)?.[1];
  if (said !== undefined) return Number(said);
  return isFixed ? items.length : Math.max(2, ...places.map(([, place]) => Number(place) + 1));
}

function rowOf({ name, hint, width }: Asked, length: number): AssumedValue {
  const isTuple = /^(?:\w+\.)?[Tt]uple/u.test(hint) || /shape|size$/u.test(name);
  const isNested = /\[(?:\w+\.)?(?:List|Tuple|Sequence|list|tuple)\b/u.test(hint);
  const one = assumedNumber(name, width);
  const numbers = Array.from({ length }, (_, at) =>
    /mult/u.test(name) ? Math.min(2, at + 1) : one,
  );
  const row = () =>
    written(
      numbers.map((each) => ({ text: String(each), value: integer(each) })),
      isTuple,
    );
  return isNested ? written([row(), row()], isTuple) : row();
}

function written(items: readonly AssumedValue[], isTuple: boolean): AssumedValue {
  const values = items.map(({ value }) => value);
  const inner = items.map((each) => each.text).join(", ");
  if (!isTuple) return { text: `[${inner}]`, value: { kind: "list", items: [...values] } };
  const comma = items.length === 1 ? "," : "";
  return { text: `(${inner}${comma})`, value: { kind: "tuple", items: values } };
}

/**
 * Literal arguments of the first call of the class in the text (also in tests and comments), by
 * parameter.
 */
export function writtenValues(
  { name }: ClassValue,
  parameters: readonly string[],
  source: string,
): ReadonlyMap<string, AssumedValue> {
  const calls = source.matchAll(new RegExp(String.raw`(?<!\bclass )\b${name}\(([^()\n]+)\)`, "gu"));
  for (const [, inner = ""] of calls) {
    const found = inner.split(",").flatMap((each, at) => {
      const [, key = parameters[at], written = ""] =
        /^(?:(\w+) ?= ?)?(.*)$/u.exec(each.trim()) ?? [];
      const value = literal(written);
      return key === undefined || value === undefined
        ? []
        : [[key, { text: written, value }] as const];
    });
    if (found.length > 0) return new Map(found);
  }
  return new Map();
}

function literal(written: string): Value | undefined {
  const quoted = /^(["'])([\w./-]+)\1$/u.exec(written)?.[2];
  if (quoted !== undefined) return text(quoted);
  if (/^\d+$/u.test(written)) return integer(Number(written));
  return /^\d+\.\d*$/u.test(written) ? { kind: "float", value: Number(written) } : undefined;
}
