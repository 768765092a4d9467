/** Python keywords, which are no variable names. */
const keywords = [
  ..."False None True and as assert async await break class continue def del elif else".split(" "),
  ..."except finally for from global if import in is lambda nonlocal not or pass raise".split(" "),
  ..."return try while with yield".split(" "),
];

/** Gives each wanted name a unique Python identifier. */
export class PythonNames {
  private readonly used: Set<string>;

  /** @param taken names that the file uses itself */
  constructor(taken: readonly string[]) {
    this.used = new Set([...keywords, ...taken]);
  }

  /** The name itself if it is a free identifier, else a similar one. */
  fresh(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_") || "_";
    let name = plain;
    for (let count = 2; this.used.has(name); count += 1) name = `${plain}_${count}`;
    this.used.add(name);
    return name;
  }

  /** Whether a name is free, without taking it. */
  isFree(name: string): boolean {
    return !this.used.has(name);
  }
}

/** A Python tuple; `(4,)` with one item. */
export function tuple(items: readonly (string | number)[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
}

/** Axis names as Python: one as a string, several as a tuple of strings. */
export function axisNames(names: readonly string[]): string {
  const [only] = names;
  return names.length === 1 ? `"${only}"` : tuple(names.map((name) => `"${name}"`));
}
