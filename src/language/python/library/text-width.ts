import type { Span } from "#core/diagnostics";
import { typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { str } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { pointsOf } from "../values/subscript.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, size } from "./bind-arguments.ts";

type TextMethod = (rt: Runtime, self: string, args: readonly Argument[], span: Span) => Value;

/** Methods of `str` that pad to a width. */
export const widthMethods: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ["center", (rt, self, args, span) => justify(rt, "center", self, args, span)],
  ["ljust", (rt, self, args, span) => justify(rt, "ljust", self, args, span)],
  ["rjust", (rt, self, args, span) => justify(rt, "rjust", self, args, span)],
  ["zfill", zeroFill],
  ["expandtabs", expandTabs],
]);

function justify(
  rt: Runtime,
  name: "center" | "ljust" | "rjust",
  self: string,
  args: readonly Argument[],
  span: Span,
): Value {
  const [width, fill] = bindArguments(rt, name, args, "width fillchar?", span);
  const wanted = size(rt, width ?? { kind: "none" }, span);
  const character = fill === undefined ? " " : fillText(rt, fill, span);
  if (pointsOf(character).length !== 1) {
    rt.fail("TypeError", "The fill character must be exactly one character long", span);
  }
  const missing = wanted - pointsOf(self).length;
  if (missing <= 0) return str(self);
  rt.allocateText(wanted, span);
  const left =
    name === "ljust"
      ? 0
      : name === "rjust"
        ? missing
        : Math.floor(missing / 2) + (missing & wanted & 1);
  return str(character.repeat(left) + self + character.repeat(missing - left));
}

function zeroFill(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const width = size(rt, first(bindArguments(rt, "zfill", args, "width", span)), span);
  const missing = width - pointsOf(self).length;
  if (missing <= 0) return str(self);
  rt.allocateText(width, span);
  const sign = /^[-+]/.exec(self)?.[0] ?? "";
  return str(sign + "0".repeat(missing) + self.slice(sign.length));
}

function expandTabs(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const [tab] = bindArguments(rt, "expandtabs", args, "tabsize?", span);
  const width = tab === undefined ? 8 : size(rt, tab, span);
  let column = 0;
  let result = "";
  for (const character of self) {
    if (character === "\t") {
      const gap = width <= 0 ? 0 : width - (column % width);
      rt.allocateText(gap, span);
      result += " ".repeat(gap);
      column += gap;
    } else {
      result += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return str(result);
}

function fillText(rt: Runtime, value: Value, span: Span): string {
  if (value.kind === "str") return value.value;
  const message = `The fill character must be a unicode character, not ${typeName(value)}`;
  return rt.fail("TypeError", message, span);
}
