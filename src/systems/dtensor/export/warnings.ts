import type { Diagnostic } from "#core/diagnostics";
import { tensorsById } from "#core/ir";
import { flatSteps, type LocalStep, type SpmdProgram } from "#core/program";
import { countOf } from "#systems/arrays";
import { type MeshText, plainOrder } from "../plain-order.ts";
import { type WrongForm, wrongBlocks, wrongMesh, wrongNumbers } from "../wrong-numbers.ts";

/** What the file does in place of a form that DTensor computes wrongly. */
const instead: Readonly<Record<WrongForm, string>> = {
  "dtensor/rows-not-ascending": "the file counts ranks along the mesh instead",
  "dtensor/flattened-transpose": "the file counts ranks along the mesh instead",
  "dtensor/flattened-uneven": "no file is written for uneven blocks",
  "dtensor/uneven-from-local": "no file is written for uneven blocks",
  "dtensor/cut-convolution": "the file runs it on the blocks of the plan instead",
};

/**
 * The forms of a plan that DTensor 2.13 would compute wrongly, and what an exported file does about
 * each; with the text, where a rewriting of it is safe, that too.
 */
export function dtensorWarnings(program: SpmdProgram, text?: MeshText): readonly Diagnostic[] {
  const [first] = program.values;
  const order = first && wrongMesh(first.layout.mesh);
  const tensors = tensorsById(program.graph);
  const forms = new Set<WrongForm>(order === undefined ? [] : [order]);
  for (const { tensor, layout } of program.values) {
    const form = wrongBlocks(layout, tensors.get(tensor)?.shape ?? []);
    if (form !== undefined) forms.add(form);
  }
  if (flatSteps(program).some((step) => step.kind === "local" && cutsConvolution(program, step)))
    forms.add("dtensor/cut-convolution");
  return [...forms].map((form) => {
    const { message, ...warning } = wrongNumbers(form);
    const fixes =
      form === order && text !== undefined ? plainOrder(text, program.devices.length) : [];
    const span = form === order && text !== undefined ? { span: text.mesh } : {};
    return { ...warning, message: `${message}; ${instead[form]}`, ...span, fixes };
  });
}

/** Whether a convolution is cut along anything of its result but the batch. */
function cutsConvolution({ graph }: SpmdProgram, { operator: id, strategy }: LocalStep): boolean {
  const operator = graph.operators.find((each) => each.id === id);
  if (operator?.entry !== "conv2d") return false;
  const [result] = operator.outputs;
  const dims = result?.dims.slice(1) ?? [];
  const names = dims.flatMap(({ identifiers }) => identifiers);
  return names.some((name) => countOf(strategy.cuts[name] ?? []) > 1);
}
