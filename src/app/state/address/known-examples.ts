import { type Example, exampleText, firstExample } from "#app/first-example";

/** The loaded examples: only the first one until all have been loaded. */
let known: readonly Example[] = [firstExample];
let isWhole = false;
const byText = new Map([[exampleText(firstExample), firstExample]]);

/** Loads all examples once. Rejects if loading fails; a later call tries again. */
export async function loadExamples(): Promise<readonly Example[]> {
  if (isWhole) return known;
  const { everyExample } = await import("#app/examples");
  for (const example of everyExample) byText.set(exampleText(example), example);
  known = everyExample;
  isWhole = true;
  return known;
}

/** Runs `act` with an example, at once if it is loaded; does nothing if no example has the name. */
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

/** An example by its name; `undefined` also if it is not loaded yet. */
export function knownExample(name: string): Example | undefined {
  return known.find((example) => example.name === name);
}

/** The example whose unchanged text an editor has; `undefined` also if it is not loaded yet. */
export function exampleWithText(text: string): Example | undefined {
  return byText.get(text);
}
