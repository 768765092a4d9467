import { examples } from "#app/examples";

/** The text of an example; tests write other words into it rather than have a copy of their own. */
export function programOf(name: string): string {
  const found = examples.find((example) => example.name === name);
  if (found === undefined) throw new Error(`no example ${name}`);
  return found.program;
}
