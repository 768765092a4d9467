import { keyOfText } from "./text-key.ts";
import type { DictValue, Entry, Key, Value } from "./value.ts";

/** Attributes of an instance as a dict, `vars(x)`: changes of either appear in the other. */
export function liveDict(attributes: Map<string, Value>): DictValue {
  return { kind: "dict", entries: new AttributeEntries(attributes) };
}

/** Entries backed by attributes; keys that are no strings are stored in the map itself. */
class AttributeEntries extends Map<Key, Entry> {
  readonly #attributes: Map<string, Value>;

  constructor(attributes: Map<string, Value>) {
    super();
    this.#attributes = attributes;
  }

  override get size(): number {
    return this.#attributes.size + super.size;
  }

  override has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  override get(key: Key): Entry | undefined {
    const own = super.get(key);
    if (own !== undefined || typeof key !== "string") return own;
    const name = key.startsWith("\u0001s") ? key.slice(2) : key;
    return this.#attributes.has(name) ? entryOf(this.#attributes, name) : undefined;
  }

  override set(key: Key, entry: Entry): this {
    if (entry.key.kind === "str") this.#attributes.set(entry.key.value, entry.value);
    else super.set(key, entry);
    return this;
  }

  override delete(key: Key): boolean {
    const entry = this.get(key);
    if (entry?.key.kind === "str") return this.#attributes.delete(entry.key.value);
    return super.delete(key);
  }

  override clear(): void {
    this.#attributes.clear();
    super.clear();
  }

  override *entries(): MapIterator<[Key, Entry]> {
    for (const name of this.#attributes.keys()) {
      yield [keyOfText(name), entryOf(this.#attributes, name)];
    }
    yield* super.entries();
  }

  override *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key;
  }

  override *values(): MapIterator<Entry> {
    for (const [, entry] of this.entries()) yield entry;
  }

  override [Symbol.iterator](): MapIterator<[Key, Entry]> {
    return this.entries();
  }

  override forEach(action: (entry: Entry, key: Key, map: Map<Key, Entry>) => void): void {
    for (const [key, entry] of this.entries()) action(entry, key, this);
  }
}

function entryOf(attributes: Map<string, Value>, name: string): Entry {
  return {
    key: { kind: "str", value: name },
    get value() {
      return attributes.get(name) ?? { kind: "none" };
    },
    set value(to: Value) {
      attributes.set(name, to);
    },
  };
}
