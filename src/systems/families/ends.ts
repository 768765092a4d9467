// A family's text with the end of another class built from its layers: a bare model, a classifier.

/** Blocks of a text: parts that start at the margin and are separated by blank lines. */
function blocksOf(text: string): readonly string[] {
  return text.trimEnd().split(/\n\n(?=\S)/u);
}

function classOf(block: string): string | undefined {
  return /^class (\w+)/u.exec(block)?.[1];
}

/**
 * The text with its end replaced by that of the class `name`, whose lines follow its comment in
 * `ends`. Its sizes are appended to the text's, its classes replace those of the same name (or come
 * last), and its call replaces the text's. Unused classes are removed. `undefined` when `ends` has
 * no such class.
 */
export function withEnd(text: string, ends: string, name: string): string | undefined {
  const end = ends
    .split(/\n(?=# )/u)
    .find((each) => each.split("\n")[0]?.includes(`: ${name} of `));
  if (end === undefined) return undefined;
  const [comment = "", ...own] = blocksOf(end);
  const [head = "", sizes = "", ...known] = blocksOf(text);
  const classes = new Map(
    own.flatMap((block) => (classOf(block) === undefined ? [] : [[classOf(block), block]])),
  );
  const kept = known.slice(0, -1).map((block) => {
    const other = classes.get(classOf(block));
    classes.delete(classOf(block));
    return other ?? block;
  });
  const further = own.slice(0, -1).filter((block) => classOf(block) === undefined);
  const made = used([...kept, ...[...classes.values()].filter(Boolean), own.at(-1) ?? ""]);
  return `${[head.replace(/^.*/u, comment), [sizes, ...further].join("\n"), ...made].join("\n\n")}\n`;
}

/** Removes classes, functions and constants that no other block names. */
function used(blocks: readonly string[]): readonly string[] {
  const left = blocks.flatMap((block, at) => {
    const rest = [...blocks.slice(0, at), ...blocks.slice(at + 1)].join("\n");
    const isNamed = (name = "") => new RegExp(`\\b${name}\\b`, "u").test(rest);
    const name = /^(?:class|def) (\w+)/u.exec(block)?.[1];
    if (name !== undefined && !isNamed(name)) return [];
    const lines = block.split("\n").filter((line) => {
      const constant = /^(constant_\d+) = /u.exec(line)?.[1];
      return constant === undefined || isNamed(constant);
    });
    return lines.length === 0 ? [] : [lines.join("\n")];
  });
  return left.join() === blocks.join() ? left : used(left);
}
