import { correctionsOf, type StepState } from "#systems/arrays";

/**
 * The functions of a file whose steps follow on each other: the corrections of its optimizer, and what
 * the next step is given.
 *
 * @param call how the file's own function is called: `run(given, groups, step, lr)`
 */
export function stateFunctions(state: StepState, call: string): readonly string[] {
  return [...correctionFunctions(state), advancedText(call)];
}

/** The function that says how much of its means an optimizer has; none where it keeps none. */
export function correctionFunctions(state: StepState): readonly string[] {
  const corrections = correctionsOf(state).map(({ beta }) => `1 - ${beta}**step`);
  if (corrections.length === 0) return [];
  return [
    `def corrections(step):
    """How much of its means an optimizer has after so many steps, the first of which is 1."""
    return ${corrections.join(", ")}
`,
  ];
}

function advancedText(call: string): string {
  return `def advanced(given, results):
    """What the next step is given, after ${call}, by name as given is.

    To keep it: torch.save({name: given[name] for name in STATE}, path), a file per rank, and later
    given.update(torch.load(path)). For Adam, NAME_m and NAME_v are what torch.optim calls exp_avg and exp_avg_sq;
    both start as zeros, and step counts from 1.
    """
    return {**given, **{name: results[made] for name, made in STATE.items()}}
`;
}
