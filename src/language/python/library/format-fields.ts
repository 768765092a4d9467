import type { Span } from "#core/diagnostics";
import { getAttribute } from "../values/attributes.ts";
import type { Argument } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import { getItem } from "../values/subscript.ts";
import { asciiOf, reprOf, textOf } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import { formatValue } from "./format.ts";

/** Numbering of `{}` fields; automatic and manual (`{0}`) numbering must not be mixed. */
interface Counter {
  next: number;
  style: "automatic" | "manual" | undefined;
}

/** `text.format(*args, **kwargs)`. */
export function formatFields(
  rt: Runtime,
  text: string,
  args: readonly Argument[],
  span: Span,
): string {
  const result = expand(rt, text, args, { next: 0, style: undefined }, span, 0);
  rt.allocateText(result.length, span);
  return result;
}

function expand(
  rt: Runtime,
  text: string,
  args: readonly Argument[],
  counter: Counter,
  span: Span,
  level: number,
): string {
  if (level > 2) rt.fail("ValueError", "Max string recursion exceeded", span);
  let result = "";
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if ((character === "{" || character === "}") && text.charAt(at + 1) === character) {
      result += character;
      at += 2;
    } else if (character === "}") {
      rt.fail("ValueError", "Single '}' encountered in format string", span);
    } else if (character === "{") {
      const end = closing(rt, text, at, span);
      result += field(rt, text.slice(at + 1, end), args, counter, span, level);
      at = end + 1;
    } else {
      result += character;
      at += 1;
    }
  }
  return result;
}

function closing(rt: Runtime, text: string, from: number, span: Span): number {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === "{") open += 1;
    if (text.charAt(at) === "}") open -= 1;
    if (open === 0) return at;
  }
  const isLone = from + 1 >= text.length;
  const message = isLone
    ? "Single '{' encountered in format string"
    : "expected '}' before end of string";
  return rt.fail("ValueError", message, span);
}

function field(
  rt: Runtime,
  source: string,
  args: readonly Argument[],
  counter: Counter,
  span: Span,
  level: number,
): string {
  const [, path = "", conversion, specification = ""] =
    /^([^!:]*(?:\[[^\]]*\][^!:]*)*)(?:!([^:]*))?(?::([\s\S]*))?$/.exec(source) ?? [];
  const value = follow(rt, path, args, counter, span);
  const wanted = expand(rt, specification, args, counter, span, level + 1);
  if (conversion === "r" || conversion === "a") {
    const shown = reprOf(rt, value, span);
    const text = conversion === "a" ? asciiOf(shown) : shown;
    return formatValue(rt, { kind: "str", value: text }, wanted, span);
  }
  if (conversion === "s") {
    return formatValue(rt, { kind: "str", value: textOf(rt, value, span) }, wanted, span);
  }
  if (conversion !== undefined) {
    rt.fail("ValueError", `Unknown conversion specifier '${conversion}'`, span);
  }
  return formatValue(rt, value, wanted, span);
}

function follow(
  rt: Runtime,
  path: string,
  args: readonly Argument[],
  counter: Counter,
  span: Span,
): Value {
  const [, first = "", rest = ""] = /^([^.[]*)([\s\S]*)$/.exec(path) ?? [];
  let value = named(rt, first, args, counter, span);
  for (const [, attribute, key] of rest.matchAll(/\.([^.[]+)|\[([^\]]+)\]/g)) {
    if (attribute !== undefined) value = getAttribute(rt, value, attribute, span);
    else if (key !== undefined) {
      const index: Value = /^\d+$/.test(key)
        ? { kind: "int", value: BigInt(key) }
        : { kind: "str", value: key };
      value = getItem(rt, value, index, span);
    }
  }
  return value;
}

function named(
  rt: Runtime,
  name: string,
  args: readonly Argument[],
  counter: Counter,
  span: Span,
): Value {
  if (name !== "" && !/^\d+$/.test(name)) {
    const found = args.find((argument) => argument.name === name);
    return found?.value ?? rt.fail("KeyError", name, span);
  }
  const style = name === "" ? "automatic" : "manual";
  if (counter.style !== undefined && counter.style !== style) {
    const switches =
      style === "manual"
        ? "automatic field numbering to manual field specification"
        : "manual field specification to automatic field numbering";
    rt.fail("ValueError", `cannot switch from ${switches}`, span);
  }
  counter.style = style;
  const index = name === "" ? counter.next++ : Number(name);
  const found = args.filter((argument) => argument.name === undefined)[index];
  if (found !== undefined) return found.value;
  const message = `Replacement index ${index} out of range for positional args tuple`;
  return rt.fail("IndexError", message, span);
}
