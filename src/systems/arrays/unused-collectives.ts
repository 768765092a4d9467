import type { CollectiveStep, FlatStep, ValueId } from "#core/program";

/**
 * Collectives whose result only other unused collectives read. A plan may move data that nothing
 * needs: FSDP gathers a layer again even if its gradients do not read all of it.
 *
 * @param lines the code of each step, after its comment
 * @param results variables that are returned
 */
export function unusedCollectives(
  steps: readonly FlatStep[],
  lines: readonly (readonly string[])[],
  results: readonly string[],
  variableOf: (value: ValueId) => string,
): readonly { readonly step: CollectiveStep; readonly at: number }[] {
  const used = new Set(results);
  const unused: { readonly step: CollectiveStep; readonly at: number }[] = [];
  for (const [at, step] of [...steps.entries()].reverse()) {
    const isMoved = step.kind === "collective" && step.collective !== "slice";
    if (isMoved && !used.has(variableOf(step.output))) unused.push({ step, at });
    else for (const name of namesIn(lines[at] ?? [])) used.add(name);
  }
  return unused;
}

/** Every word of the code that could be a variable; comment lines are skipped. */
function namesIn(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.match(/\b\w+\b/g) ?? []);
}
