/** Location texts by name (`#loc3`). */
export type Locations = ReadonlyMap<string, string>;

/** Most nested locations. */
const mostNested = 64;

/** Reads the lines `#loc3 = loc(…)` of a module. */
export function locationsIn(lines: readonly string[]): Locations {
  const found = new Map<string, string>();
  for (const line of lines) {
    if (!line.startsWith("#loc")) continue;
    const [, name, text] = /^(#loc\d*) = loc\((.*)\)$/u.exec(line.trimEnd()) ?? [];
    if (name !== undefined && text !== undefined) found.set(name, text);
  }
  return found;
}

/** A line without its location, and the name in that location. */
export function withoutLocation(line: string, locations: Locations) {
  const at = line.lastIndexOf(" loc(");
  if (at < 0) return { body: line, where: undefined };
  return { body: line.slice(0, at), where: pathIn(line.slice(at + 5, -1), locations) };
}

/** The name in the location at the end of a text. */
export function whereIn(text: string, locations: Locations): string | undefined {
  const at = text.lastIndexOf(" loc(");
  return at < 0 ? undefined : pathIn(text.slice(at + 5, text.lastIndexOf(")")), locations);
}

/** The name in a location: a string that is not followed by a position in a file. */
function pathIn(text: string, locations: Locations, depth = 0): string | undefined {
  if (depth > mostNested) return undefined;
  const named = /^"([^"\\]*(?:\\.[^"\\]*)*)"(?!:)/u.exec(text)?.[1];
  if (named !== undefined) return named;
  const inner = /^(?:callsite\(|fused(?:<[^>]*>)?\[)?(#loc\d*|".*)/u.exec(text)?.[1];
  if (inner === undefined) return undefined;
  if (inner.startsWith("#")) {
    const next = locations.get(inner);
    return next === undefined ? undefined : pathIn(next, locations, depth + 1);
  }
  return inner === text ? undefined : pathIn(inner, locations, depth + 1);
}
