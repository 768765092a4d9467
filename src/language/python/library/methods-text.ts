import type { Span } from "#core/diagnostics";
import { call } from "../values/call.ts";
import { typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { itemsOf } from "../values/iterate.ts";
import { int, str } from "../values/plain-values.ts";
import { chargeSearch, type Runtime } from "../values/runtime.ts";
import { asIndex, pointsOf } from "../values/subscript.ts";
import { textOf } from "../values/text.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, size, textOr } from "./bind-arguments.ts";
import { formatFields } from "./format-fields.ts";
import { caseMethods } from "./text-case.ts";
import { makeTranslation, translate } from "./text-translation.ts";
import { widthMethods } from "./text-width.ts";
import { isSpace, linesOf, trimmed, wordsFromRight, wordsOf } from "./white-space.ts";

/** Method of `str`: receiver, arguments and span of the call. */
type TextMethod = (rt: Runtime, self: string, args: readonly Argument[], span: Span) => Value;

/** The methods of `str`. */
export const textMethods: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ...caseMethods,
  ...widthMethods,
  ["join", join],
  ["split", (rt, self, args, span) => split(rt, self, args, span, false)],
  ["rsplit", (rt, self, args, span) => split(rt, self, args, span, true)],
  ["splitlines", splitLines],
  ["strip", (rt, self, args, span) => strip(rt, self, args, span, true, true)],
  ["lstrip", (rt, self, args, span) => strip(rt, self, args, span, true, false)],
  ["rstrip", (rt, self, args, span) => strip(rt, self, args, span, false, true)],
  ["removeprefix", removePrefix],
  ["removesuffix", removeSuffix],
  ["replace", replace],
  ["partition", (rt, self, args, span) => partition(rt, self, args, span, false)],
  ["rpartition", (rt, self, args, span) => partition(rt, self, args, span, true)],
  ["startswith", (rt, self, args, span) => affix(rt, "startswith", self, args, span)],
  ["endswith", (rt, self, args, span) => affix(rt, "endswith", self, args, span)],
  ["find", (rt, self, args, span) => int(find(rt, self, args, span, false))],
  ["rfind", (rt, self, args, span) => int(find(rt, self, args, span, true))],
  ["index", (rt, self, args, span) => int(found(rt, find(rt, self, args, span, false), span))],
  ["rindex", (rt, self, args, span) => int(found(rt, find(rt, self, args, span, true), span))],
  ["count", count],
  ["format", (rt, self, args, span) => str(formatFields(rt, self, args, span))],
  ["format_map", formatMap],
  ["translate", translate],
  ["maketrans", (rt, _self, args, span) => makeTranslation(rt, args, span)],
  [
    "encode",
    (rt, _self, _args, span) => {
      const bytes = rt.host.globals.get("bytes");
      return bytes === undefined ? rt.lacks("bytes", span) : call(rt, bytes, [], span);
    },
  ],
]);

function join(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const of = first(bindArguments(rt, "join", args, "iterable", span));
  const parts = itemsOf(rt, of, args[0]?.span ?? span).map((item, index) => {
    if (item.kind === "str") return item.value;
    if (rt.host.isUnknown?.(item) === true) return textOf(rt, item, span);
    const message = `sequence item ${index}: expected str instance, ${typeName(item)} found`;
    return rt.fail("TypeError", message, span);
  });
  const size = parts.reduce((total, part) => total + part.length, self.length * parts.length);
  rt.allocateText(size, span);
  return str(parts.join(self));
}

function split(
  rt: Runtime,
  self: string,
  args: readonly Argument[],
  span: Span,
  fromRight: boolean,
): Value {
  const [separator, limit] = bindArguments(rt, "split", args, "sep? maxsplit?", span);
  const most = limit === undefined ? -1 : size(rt, limit, span);
  rt.allocateText(self.length, span);
  rt.tick(self.length, span);
  const parts =
    separator === undefined || separator.kind === "none"
      ? (fromRight ? wordsFromRight : wordsOf)(self, most)
      : splitAt(
          rt,
          self,
          textOr(rt, separator, "must be str or None", span),
          most,
          fromRight,
          span,
        );
  rt.allocate(parts.length, span);
  return { kind: "list", items: parts.map(str) };
}

function splitAt(
  rt: Runtime,
  self: string,
  separator: string,
  most: number,
  fromRight: boolean,
  span: Span,
): readonly string[] {
  if (separator === "") rt.fail("ValueError", "empty separator", span);
  chargeSearch(rt, self, separator, span);
  const parts = self.split(separator);
  if (most < 0 || parts.length <= most + 1) return parts;
  if (!fromRight) return [...parts.slice(0, most), parts.slice(most).join(separator)];
  const cut = parts.length - most;
  return [parts.slice(0, cut).join(separator), ...parts.slice(cut)];
}

function splitLines(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const [keep] = bindArguments(rt, "splitlines", args, "keepends?", span);
  const lines = linesOf(self, keep !== undefined && truth(rt, keep, span));
  rt.allocate(lines.length, span);
  return { kind: "list", items: lines.map(str) };
}

function strip(
  rt: Runtime,
  self: string,
  args: readonly Argument[],
  span: Span,
  left: boolean,
  right: boolean,
): Value {
  const [characters] = bindArguments(rt, "strip", args, "chars?", span);
  if (characters === undefined || characters.kind === "none") {
    return str(trimmed(self, isSpace, { left, right }));
  }
  const set = new Set(textOr(rt, characters, "strip arg must be None or str", span));
  return str(trimmed(self, (character) => set.has(character), { left, right }));
}

function removePrefix(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const prefix = textOr(
    rt,
    first(bindArguments(rt, "removeprefix", args, "prefix", span)),
    "removeprefix() argument must be str",
    span,
  );
  return str(self.startsWith(prefix) ? self.slice(prefix.length) : self);
}

function removeSuffix(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const suffix = textOr(
    rt,
    first(bindArguments(rt, "removesuffix", args, "suffix", span)),
    "removesuffix() argument must be str",
    span,
  );
  return str(suffix !== "" && self.endsWith(suffix) ? self.slice(0, -suffix.length) : self);
}

function replace(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const [from, to, limit] = bindArguments(rt, "replace", args, "old new count?", span);
  const old = textOr(rt, from, "replace() argument 1 must be str", span);
  const fresh = textOr(rt, to, "replace() argument 2 must be str", span);
  const most = limit === undefined ? -1 : size(rt, limit, span);
  chargeSearch(rt, self, old, span);
  const pieces = old === "" ? ["", ...Array.from(self), ""] : self.split(old);
  const cuts = most < 0 ? pieces.length - 1 : Math.min(most, pieces.length - 1);
  rt.allocateText(self.length + cuts * fresh.length, span);
  const head = pieces.slice(0, cuts).map((piece) => piece + fresh);
  return str(head.join("") + pieces.slice(cuts).join(old));
}

function partition(
  rt: Runtime,
  self: string,
  args: readonly Argument[],
  span: Span,
  fromRight: boolean,
): Value {
  const separator = textOr(
    rt,
    first(bindArguments(rt, "partition", args, "sep", span)),
    "must be str",
    span,
  );
  if (separator === "") rt.fail("ValueError", "empty separator", span);
  chargeSearch(rt, self, separator, span);
  const at = fromRight ? self.lastIndexOf(separator) : self.indexOf(separator);
  const parts =
    at < 0
      ? fromRight
        ? ["", "", self]
        : [self, "", ""]
      : [self.slice(0, at), separator, self.slice(at + separator.length)];
  return { kind: "tuple", items: parts.map(str) };
}

/** Part of a text selected by optional start and end arguments, with its offset. */
function window(
  rt: Runtime,
  self: string,
  start: Value | undefined,
  end: Value | undefined,
  span: Span,
): { readonly text: string; readonly offset: number; readonly isEmptyRange: boolean } {
  if (start === undefined && end === undefined)
    return { text: self, offset: 0, isEmptyRange: false };
  rt.tick(self.length, span);
  const points = Array.from(self);
  const place = (value: Value | undefined, assumed: number) => {
    if (value === undefined || value.kind === "none") return assumed;
    const index = Number(asIndex(rt, value, span) ?? 0n);
    return index < 0 ? Math.max(0, index + points.length) : index;
  };
  const from = place(start, 0);
  const to = Math.min(place(end, points.length), points.length);
  return { text: points.slice(from, to).join(""), offset: from, isEmptyRange: from > to };
}

function affix(
  rt: Runtime,
  name: "startswith" | "endswith",
  self: string,
  args: readonly Argument[],
  span: Span,
): Value {
  const [wanted, start, end] = bindArguments(rt, name, args, "prefix start? end?", span);
  const { text, isEmptyRange } = window(rt, self, start, end, span);
  const options = wanted?.kind === "tuple" ? wanted.items : [wanted];
  const value = options.some((option) => {
    const message = `${name} first arg must be str or a tuple of str`;
    const fix = textOr(rt, option, message, span);
    if (isEmptyRange) return false;
    return name === "startswith" ? text.startsWith(fix) : text.endsWith(fix);
  });
  return { kind: "bool", value };
}

function find(
  rt: Runtime,
  self: string,
  args: readonly Argument[],
  span: Span,
  fromRight: boolean,
): number {
  const [wanted, start, end] = bindArguments(rt, "find", args, "sub start? end?", span);
  const part = textOr(rt, wanted, "must be str", span);
  const { text, offset, isEmptyRange } = window(rt, self, start, end, span);
  chargeSearch(rt, text, part, span);
  const at = fromRight ? text.lastIndexOf(part) : text.indexOf(part);
  if (at < 0 || isEmptyRange) return -1;
  return offset + pointsOf(text.slice(0, at)).length;
}

function found(rt: Runtime, at: number, span: Span): number {
  return at < 0 ? rt.fail("ValueError", "substring not found", span) : at;
}

function count(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const [wanted, start, end] = bindArguments(rt, "count", args, "sub start? end?", span);
  const part = textOr(rt, wanted, "must be str", span);
  const { text, isEmptyRange } = window(rt, self, start, end, span);
  if (isEmptyRange) return int(0);
  chargeSearch(rt, text, part, span);
  return int(part === "" ? pointsOf(text).length + 1 : text.split(part).length - 1);
}

function formatMap(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const mapping = first(bindArguments(rt, "format_map", args, "mapping", span));
  const named =
    mapping.kind === "dict"
      ? [...mapping.entries.values()].flatMap(({ key, value }) =>
          key.kind === "str" ? [{ name: key.value, value, span }] : [],
        )
      : [];
  return str(formatFields(rt, self, named, span));
}
