import { operatorsById, type TensorId, tensorsById } from "#core/ir";
import type { Layout } from "#core/mesh";
import { flatSteps, type SpmdProgram, valuesById } from "#core/program";
import { NotWritten } from "#systems/arrays";
import type { PlanRests } from "../rules/plan-rests.ts";
import { type DecoderWeight, patternOf, type Role } from "./decoder-roles.ts";
import { type NamedAxes, said } from "./weight-rules.ts";

/** Layouts of activations by MaxText's logical names. */
export interface ActivationRules {
  /** Mesh axes that shard the batch. */
  readonly batch: readonly string[];
  readonly rules: readonly NamedAxes[];
}

/**
 * The mesh axes of a role's activations by dim: batch, length, and the dim that a weight
 * multiplies.
 */
type Dims = readonly [batch: readonly string[], length: readonly string[], last: readonly string[]];

/**
 * Rules for activations by MaxText's logical names, whose constraints apply to inputs of norms, to
 * queries, keys and values, to the widened features, and to logits.
 *
 * @throws NotWritten when one name would need two different cuts
 */
export function activationRules(
  program: SpmdProgram,
  rests: PlanRests,
  weights: readonly DecoderWeight[],
): ActivationRules {
  const ask = (role: Role, side: Asked["side"]) => dimsOf(program, rests, { role, weights, side });
  const [norm, query] = [ask("norm", "read"), ask("query", "made")];
  const [key, up] = [ask("key", "made"), ask("up", "made")];
  const last = weights.some(({ role }) => role === "last")
    ? ask("last", "made")
    : ask("table", "logits");
  const [batch, between, embed] = norm;
  for (const [what, dims] of [
    ["queries", query],
    ["keys", key],
    ["what widens", up],
    ["logits", last],
  ] as const) {
    if (dims[0].join() !== batch.join())
      throw new NotWritten(`rows of ${what} are ${said(dims[0])}, and of norms ${said(batch)}`);
    if (dims[1].length > 0)
      throw new NotWritten(
        `the sequence is ${said(dims[1])} in ${what}: MaxText would also turn its parts, which no rule says`,
      );
  }
  if (query[2].join() !== key[2].join())
    throw new NotWritten(
      `MaxText has one name, activation_kv_heads, for queries that are ${said(query[2])} and keys that are ${said(key[2])}`,
    );
  return {
    batch,
    rules: rulesOf({ batch, between, embed, heads: query[2], mlp: up[2], vocab: last[2] }),
  };
}

/** Mesh axes of each named dim. */
type Cuts = Readonly<
  Record<"batch" | "between" | "embed" | "heads" | "mlp" | "vocab", readonly string[]>
>;

function rulesOf({ batch, between, embed, heads, mlp, vocab }: Cuts): readonly NamedAxes[] {
  const of = (axes: readonly string[], ...names: readonly string[]) =>
    names.map((name): NamedAxes => [name, axes]);
  return [
    ...of([], "layers", "qkv", "kv", "kv_head_dim", "num_activations"),
    ...of(batch, "activation_batch", "activation_batch_attn", "activation_kv_batch"),
    ...of(batch, "activation_embed_and_logits_batch", "activation_embed_and_logits_batch_sequence"),
    ...of([], "activation_length", "activation_length_attn", "activation_q_length"),
    ...of([], "activation_kv_length", "activation_kv", "activation_kv_head_dim"),
    ...of(between, "activation_norm_length", "activation_input_length_attn"),
    ...of(embed, "activation_embed", "activation_embed_attn"),
    ...of(heads, "activation_heads", "activation_kv_heads"),
    ...of(mlp, "activation_mlp"),
    ...of(vocab, "activation_vocab"),
  ];
}

interface Asked {
  readonly role: Role;
  readonly weights: readonly DecoderWeight[];
  /**
   * Whether the axes belong to the tensor read beside the weight, to the result, or to the table's
   * logits.
   */
  readonly side: "read" | "made" | "logits";
}

/**
 * Layout of the activations that the operators of a role read or make; equal in all layers.
 *
 * @throws NotWritten when layers differ
 */
function dimsOf(program: SpmdProgram, { atoms }: PlanRests, asked: Asked): Dims {
  let found: { readonly dims: Dims; readonly name: string } | undefined;
  for (const { name, layout } of seenBy(program, asked)) {
    const dims = axesOf(layout, (parts) => atoms.axesOf(parts));
    if (found !== undefined && found.dims.join("|") !== dims.join("|"))
      throw new NotWritten(
        `what ${patternOf(found.name)} and ${patternOf(name)} ${asked.side === "read" ? "are given" : "make"} lies differently, and MaxText has one name for both`,
      );
    found ??= { dims, name };
  }
  if (found === undefined)
    throw new NotWritten(
      `no operator is seen with ${asked.role} weights and (batch, length, features)`,
    );
  return found.dims;
}

/** Layouts of the activations that a rule covers, each with the weight that its operator reads. */
function seenBy(program: SpmdProgram, { role, weights, side }: Asked) {
  const own = weights.filter((each) => each.role === role && !each.isBias);
  const names = new Map(own.map(({ held }) => [held.tensor.id, held.name]));
  const operators = operatorsById(program.graph);
  const tensors = tensorsById(program.graph);
  const values = valuesById(program);
  const nameOf = (id: TensorId) => names.get(tensors.get(id)?.castOf ?? id);
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "local" || step.phase !== "forward") return [];
    const inputs = operators.get(step.operator)?.inputs ?? [];
    const at = inputs.findIndex(({ tensor }) => nameOf(tensor) !== undefined);
    const weight = inputs[at];
    if (weight === undefined) return [];
    const wide = (ids: typeof step.inputs) =>
      ids.flatMap((id) => values.get(id)?.layout ?? []).find(({ dims }) => dims.length === 3);
    const given = wide(step.inputs.filter((_, each) => each !== at));
    const made = wide(step.outputs);
    const layout = side === "read" ? given : made;
    if (layout === undefined || (side === "logits" && given === undefined)) return [];
    return [{ name: nameOf(weight.tensor) ?? "", layout }];
  });
}

function axesOf(
  { dims }: Layout,
  axes: (parts: Layout["dims"][number]["parts"]) => readonly string[],
): Dims {
  const [batch = [], length = [], last = []] = dims.map(({ parts }) => axes(parts));
  return [batch, length, last];
}
