import { tensorsById } from "#core/ir";
import { blockCount } from "#core/mesh";
import type { SpmdProgram, Value } from "#core/program";

/** Forms of plans that not every engine can run. */
export type PlanForm = "uneven" | "several pieces" | "windows" | "micro-batches";

/** Why an engine cannot run plans of some forms, as half a sentence each. */
export type RefusedForms = Readonly<Partial<Record<PlanForm, string>>>;

const forms: readonly PlanForm[] = ["uneven", "several pieces", "windows", "micro-batches"];

/**
 * Why an engine cannot run a program because of its form, as half a sentence; `undefined` when it
 * can.
 */
export function refusedForm(program: SpmdProgram, refuses: RefusedForms): string | undefined {
  for (const form of forms) {
    const why = refuses[form];
    const found = why === undefined ? undefined : foundForm(program, form);
    if (found !== undefined) return `${found}: ${why}`;
  }
  return undefined;
}

/** The first tensor of a program in a form, as half a sentence; `undefined` when there is none. */
function foundForm(program: SpmdProgram, form: PlanForm): string | undefined {
  if (form === "micro-batches") {
    const isRepeated = program.stages.some(({ runs = 1 }) => runs > 1);
    return isRepeated ? "micro-batches run one after the other" : undefined;
  }
  const tensors = tensorsById(program.graph);
  const shapeOf = ({ tensor }: Value) => tensors.get(tensor)?.shape ?? [];
  const value = program.values.find((each) => tests[form](each, shapeOf(each)));
  if (value === undefined) return undefined;
  return said[form](tensors.get(value.tensor)?.name ?? value.tensor);
}

type BlockForm = Exclude<PlanForm, "micro-batches">;

const tests: Readonly<Record<BlockForm, (value: Value, shape: readonly number[]) => boolean>> = {
  windows: ({ held }) => held !== undefined,
  uneven: ({ layout: { dims } }, shape) =>
    dims.some(
      (dim, at) => dim.sizes !== undefined || (shape[at] ?? 1) % blockCount(dim.parts) !== 0,
    ),
  "several pieces": ({ layout: { dims } }) =>
    dims.some(({ parts }) => parts.some((part) => part.kind === "pieces" && part.count > 1)),
};

const said: Readonly<Record<BlockForm, (name: string) => string>> = {
  windows: (name) => `${name} lies in windows`,
  uneven: (name) => `${name} is cut unevenly`,
  "several pieces": (name) => `a device holds several pieces of ${name}`,
};
