import { type Example, exampleText, firstExample } from "#app/first-example";

/** The examples whose code is there: the first until all have been loaded. */
let known: readonly Example[] = [firstExample];
let isWhole = false;
const byText = new Map([[exampleText(firstExample), firstExample]]);

/** Loads all examples, once; rejects when they cannot be loaded, and may be asked again. */
export async function loadExamples(): Promise<readonly Example[]> {
  if (isWhole) return known;
  const { everyExample } = await import("#app/examples");
  for (const example of everyExample) byText.set(exampleText(example), example);
  known = everyExample;
  isWhole = true;
  return known;
}

/**
 * Runs `act` with an example, at once if it is loaded; not at all if there is no example of the
 * name.
 */
export function withExample(
  name: string,
  act: (example: Example) => void,
  onFault: (text: string) => void,
): void {
  const found = knownExample(name);
  if (found !== undefined || isWhole) {
    if (found !== undefined) act(found);
    return;
  }
  const failed = "The examples could not be loaded. Reload the page, then try again.";
  void loadExamples().then(
    () => withExample(name, act, onFault),
    () => onFault(failed),
  );
}

/** An example by its name; `undefined` too where it is not loaded yet. */
export function knownExample(name: string): Example | undefined {
  return known.find((example) => example.name === name);
}

/** The example that a text of an editor is, unchanged; `undefined` too where it is not loaded yet. */
export function exampleWithText(text: string): Example | undefined {
  return byText.get(text);
}
