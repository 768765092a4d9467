import type { ExampleGroup } from "#app/examples";

/**
 * Examples whose title, note, name, group or program contain every word, in any case; empty groups
 * are left out.
 */
export function matching(groups: readonly ExampleGroup[], words: string): readonly ExampleGroup[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return groups.flatMap(({ title, examples }) => {
    const found = examples.filter((example) => {
      const text = [title, example.title, example.note, example.name, example.program]
        .join("\n")
        .toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    return found.length === 0 ? [] : [{ title, examples: found }];
  });
}
