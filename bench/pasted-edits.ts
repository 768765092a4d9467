import { createLanguageService } from "#app/language-service";
import type { Measure } from "./measure.ts";
import { layers, pastedModel } from "./pasted-model.ts";

/** Edits of one line of code or prose, as made while working on a file. */
const edits: readonly (readonly [before: string, after: (at: number) => string])[] = [
  ["mlp_ratio: int = 4", (at) => `mlp_ratio: int = ${5 + at}`],
  ["norm_eps: float = 1e-5", (at) => `norm_eps: float = ${1 + at}e-6`],
  ["x = F.gelu(self.up(x))", (at) => `x = F.silu(self.up(x)) * ${1 + at}`],
  ['"""The part that mixes channels."""', (at) => `"""Mixes channels, draft ${at}."""`],
  ["logits = model(tokens)", (at) => `logits = model(tokens[:${2 + at}])`],
];

/** Edits at several places of a long published model, each from a text that was read before. */
export const pastedModelMeasures: readonly Measure[] = [
  {
    name: "edit: a pasted model of 1,000 lines",
    aimSeconds: 0.3,
    warmUp: edits.length,
    runs: editing(),
    counts: "slowest",
  },
];

function editing(): readonly (() => void)[] {
  const source = pastedModel();
  const assistant = createLanguageService(() => performance.now());
  let count = 0;
  assistant.compile(source);
  return edits.map(([before, after]) => () => {
    count += 1;
    const edited = source.replace(before, after(count));
    if (edited === source) throw new Error(`the text has no ${before}`);
    const { graph } = assistant.compile(edited);
    if (graph.operators.length < 20 * layers) throw new Error("the model was not read whole");
  });
}
