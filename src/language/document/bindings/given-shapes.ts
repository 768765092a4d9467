/**
 * Names with a shape in a `shapes(x=(8, 16))` call anywhere in the text; these names are tensors.
 */
export function namesGivenShapes(source: string): ReadonlySet<string> {
  const calls = [...source.matchAll(/(?<![\w.])shapes\(/gu)];
  return new Set(
    calls.flatMap(({ index, 0: head }) =>
      keywordsIn(argumentsFrom(source, index + head.length)).map(([, name = ""]) => name),
    ),
  );
}

function keywordsIn(text: string) {
  return [...text.matchAll(/(?<![\w.])([\p{L}_][\p{L}\p{N}_]*)[ \t]*=(?!=)/gu)];
}

/** Text from an opening parenthesis to its closing one. */
function argumentsFrom(source: string, from: number): string {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "(") depth++;
    if (source[at] === ")") depth--;
    if (depth === 0) return source.slice(from, at);
  }
  return source.slice(from);
}
