import { type CodeInput, type WrittenFile, writtenFile } from "#systems/arrays";
import { type PlanRests, planRests } from "../rules/plan-rests.ts";
import { activationRules } from "./activation-rules.ts";
import { type AxisWords, axisWords } from "./axis-words.ts";
import { decoderWeights } from "./decoder-roles.ts";
import { type NamedAxes, weightRules } from "./weight-rules.ts";

/** Rules of a file, and the axis sizes of MaxText's mesh. */
export interface MaxTextClaims {
  readonly mesh: Readonly<Record<string, number>>;
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

/**
 * Writes a plan of a dense decoder for MaxText: the sizes of its mesh, and `logical_axis_rules` for
 * its own decoder of the same sizes (engine-jax.md §6).
 */
export function writeMaxText(input: CodeInput): WrittenFile<MaxTextClaims> {
  return writtenFile(() => {
    const rests = planRests(input);
    const weights = decoderWeights(rests.parameters, rests.modules);
    const made = activationRules(input.program, rests, weights);
    const { rules, note } = weightRules(weights, made.batch);
    const words = axisWords(rests.atoms, { batch: made.batch, weights: rules });
    const all = [...rules, ...made.rules].map(
      ([name, axes]): NamedAxes => [name, axes.map((axis) => words.of.get(axis) ?? axis)],
    );
    const claims = { mesh: words.sizes, rules: Object.fromEntries(all) };
    const text = fileText(rests, words, { all, note });
    return { text, claims, ...(note !== undefined && { note }) };
  });
}

interface FileRules {
  readonly all: readonly NamedAxes[];
  readonly note: string | undefined;
}

function fileText(
  { modules, claims }: PlanRests,
  { sizes, of }: AxisWords,
  { all, note }: FileRules,
): string {
  const axes = [...of].map(([axis, word]) => (axis === word ? axis : `${axis} is ${word}`));
  const mesh = Object.entries(sizes).map(([word, size]) => `ici_${word}_parallelism: ${size}\n`);
  const rules = all.map(
    ([name, own]) => `  ['${name}', [${own.map((axis) => `'${axis}'`).join(", ")}]],\n`,
  );
  return `# How ${modules?.root ?? "the model"} lies on ${claims.devices} devices, for MaxText's own decoder of the same sizes: ${axes.join(", ")}.
# Every name that a dense decoder gives to a dim stands here, so it is the same whether a run
# merges these rules with those of base.yml or takes them in their place.
${note === undefined ? "" : `# ${note}\n`}base_config: base.yml
${mesh.join("")}logical_axis_rules: [
${rules.join("")}]
`;
}
