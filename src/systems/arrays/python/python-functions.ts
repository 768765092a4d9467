/** The top-level functions of a Python text by name, in order, each ending in one line end. */
export function pythonFunctions(source: string): ReadonlyMap<string, string> {
  const texts = source.split(/^(?=def )/mu).filter((text) => text.startsWith("def "));
  return new Map(texts.map((text) => [text.slice(4, text.indexOf("(")), `${text.trimEnd()}\n`]));
}
