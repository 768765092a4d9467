import { examples } from "#app/examples";

/** Text of an example, for tests that modify it instead of copying it. */
export function programOf(name: string): string {
  const found = examples.find((example) => example.name === name);
  if (found === undefined) throw new Error(`no example ${name}`);
  return found.program;
}
