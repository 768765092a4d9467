// `str.maketrans` and `str.translate`.

import type { Span } from "#core/diagnostics";
import type { Argument } from "../values/host.ts";
import { keyOf } from "../values/keys.ts";
import { int, str } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { setEntry } from "../values/set-item.ts";
import type { DictValue, Value } from "../values/value.ts";
import { bindArguments, first, textOr } from "./bind-arguments.ts";

export function translate(rt: Runtime, self: string, args: readonly Argument[], span: Span): Value {
  const table = first(bindArguments(rt, "translate", args, "table", span));
  if (table.kind !== "dict") return rt.lacks("translate with another table than a dict", span);
  rt.allocateText(self.length, span);
  rt.tick(self.length, span);
  return str(Array.from(self, (character) => translated(rt, table, character, span)).join(""));
}

function translated(rt: Runtime, table: DictValue, character: string, span: Span): string {
  const key: Value = { kind: "int", value: BigInt(character.codePointAt(0) ?? 0) };
  const to = table.entries.get(keyOf(rt, key, span))?.value;
  if (to === undefined) return character;
  if (to.kind === "none") return "";
  return to.kind === "int" ? String.fromCodePoint(Number(to.value)) : textOr(rt, to, "table", span);
}

/**
 * `str.maketrans`: from a dict, or from two strings of equal length and one of characters to drop.
 */
export function makeTranslation(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [from, to, drop] = bindArguments(rt, "maketrans", args, "x y? z?", span);
  const table: DictValue = { kind: "dict", entries: new Map() };
  const put = (key: Value, value: Value) => setEntry(rt, table, key, value, span);
  if (to === undefined) {
    if (from?.kind !== "dict") {
      const message = "if you give only one argument to maketrans it must be a dict";
      return rt.fail("TypeError", message, span);
    }
    for (const { key, value } of from.entries.values()) {
      put(key.kind === "str" ? pointOf(key.value) : key, value);
    }
    return table;
  }
  const old = Array.from(textOr(rt, from, "first maketrans argument must be a string", span));
  const fresh = Array.from(textOr(rt, to, "maketrans() argument 2 must be str", span));
  if (old.length !== fresh.length) {
    const message = "the first two maketrans arguments must have equal length";
    return rt.fail("ValueError", message, span);
  }
  old.forEach((character, index) => {
    put(pointOf(character), pointOf(fresh[index] ?? ""));
  });
  if (drop !== undefined) {
    const dropped = textOr(rt, drop, "maketrans() argument 3 must be str", span);
    for (const character of dropped) put(pointOf(character), { kind: "none" });
  }
  return table;
}

function pointOf(character: string): Value {
  return int(character.codePointAt(0) ?? 0);
}
