import type { DictValue, Key, Value } from "./value.ts";

/** Key of a string. Keys that begin with U+0001 are reserved for other values. */
export function keyOfText(text: string): Key {
  return text.startsWith("\u0001") ? `\u0001s${text}` : text;
}

/** A Python dict with string keys. */
export function dictOf(entries: Iterable<readonly [string, Value]>): DictValue {
  const made: DictValue = { kind: "dict", entries: new Map() };
  for (const [name, value] of entries) {
    made.entries.set(keyOfText(name), { key: { kind: "str", value: name }, value });
  }
  return made;
}
