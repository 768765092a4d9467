/** Offset of the line after the last import of a text; 0 where it has none. */
export function behindImports(source: string): number {
  const imports = /^(?:import|from)[ \t][^\n(]*(?:\([^)]*\)[^\n]*)?(?:\n|$)/gmu;
  const last = [...source.matchAll(imports)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
