import type { SpmdProgram } from "#core/program";
import { foundForm, type PlanForm, type RefusedForms } from "#systems/arrays";

const once = "the file is one step, which runs once";
const wholeStrategies = "its strategies cut a dim into equal blocks, one on each device";

/**
 * By target, the forms of a plan that its files have no place for, and why; all others are written.
 *
 * @internal
 */
export const refusedForms: Readonly<Record<string, RefusedForms>> = {
  jax: { "micro-batches": once },
  torch: { "micro-batches": once },
  dtensor: {
    "micro-batches": once,
    uneven:
      "DTensor chunks a dim axis by axis, and its redistributions of uneven dims are not priced here",
    "several pieces": "a placement gives a rank one block of a dim",
    windows: "a placement gives ranks blocks that do not overlap",
  },
  mindspore: {
    "micro-batches": "its cell is the forward program of one batch",
    uneven: wholeStrategies,
    "several pieces":
      "MindSpore's pass interleaves copies of operators, of which a strategy says nothing",
    windows: wholeStrategies,
  },
  nnscaler: nnscalerForms(),
  "nnscaler-policy": nnscalerForms(),
};

function nnscalerForms(): RefusedForms {
  return {
    "micro-batches": "a policy assigns the operators of one batch",
    uneven: "nnScaler partitions a dim into equal blocks",
    "several pieces": "its adapters know one block per device",
    windows: "its adapters know blocks that do not overlap",
  };
}

const forms: readonly PlanForm[] = ["uneven", "several pieces", "windows", "micro-batches"];

/** Why a target is not given a program for a form that it has, as half a sentence. */
export function refusedForm(program: SpmdProgram, target: string): string | undefined {
  const refused = refusedForms[target] ?? {};
  for (const form of forms) {
    const why = refused[form];
    const found = why === undefined ? undefined : foundForm(program, form);
    if (found !== undefined) return `${found}: ${why}`;
  }
  return undefined;
}
