import { inputsNamed } from "./arguments.ts";
import { kept, type LinkCall, type LinkedDim, type Links, own } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** Which dims of a query are batch (B), head (N), position (S), position of all batches (T). */
const layouts: Readonly<Record<string, string>> = {
  BSH: "BSN",
  SBH: "SBN",
  BNSD: "BNS_",
  BSND: "BSN_",
  TND: "TN_",
};

/** Which dim of a query is its position. */
export function sequenceDim(layout: unknown): number {
  return (layouts[typeof layout === "string" ? layout : "BSH"] ?? "").indexOf("S");
}

const operandsOf: Readonly<Record<string, string>> = {
  FlashAttentionScore:
    "query key value real_shift drop_mask padding_mask attn_mask prefix actual_seq_qlen actual_seq_kvlen",
  PromptFlashAttention:
    "query key value attn_mask actual_seq_lengths actual_seq_lengths_kv pse_shift deq_scale1 quant_scale1 deq_scale2 quant_scale2 quant_offset2",
};

/** The dims of an attention's operands and results by letters; `_` is one that stays whole. */
export function attentionLetters(call: LinkCall): {
  readonly inputs: readonly string[];
  readonly outputs: readonly { readonly letters: string; readonly shape: readonly number[] }[];
} {
  const { input_layout: layout } = call.attributes;
  const query = layouts[typeof layout === "string" ? layout : "BSH"] ?? "___";
  const names = inputNames(call);
  const inputs = call.shapes.map((shape, input) => lettersOf(names[input] ?? "", query, shape));
  const [shape = []] = call.shapes;
  const result = { letters: query, shape };
  if (call.op !== "FlashAttentionScore") return { inputs, outputs: [result] };
  const sizeOf = (letter: string) => shape[query.indexOf(letter)] ?? 1;
  const heads = query.length === 3 && !query.includes("T") ? headsOf(call) : sizeOf("N");
  const moments = query.includes("T")
    ? { letters: "TN_", shape: [sizeOf("T"), heads, 8] }
    : { letters: "BNS_", shape: [sizeOf("B"), heads, sizeOf("S"), 8] };
  return { inputs, outputs: [moments, moments, { letters: "_", shape: [1] }, result] };
}

function headsOf({ attributes }: LinkCall): number {
  return typeof attributes.head_num === "number" ? attributes.head_num : 1;
}

function inputNames(call: LinkCall): readonly string[] {
  const at = inputsNamed(call, operandsOf[call.op] ?? "");
  const names = (operandsOf[call.op] ?? "").split(" ");
  return call.shapes.map((_, input) => names.find((name) => at(name) === input) ?? "");
}

/** Keys and values keep all positions; masks are cut as the queries that they are for. */
function lettersOf(name: string, query: string, { length: rank }: readonly number[]): string {
  const whole = "_".repeat(rank);
  switch (name) {
    case "query":
      return query;
    case "key":
    case "value":
      return query.replace("S", "_");
    case "real_shift":
    case "drop_mask":
    case "pse_shift":
      return rank === 4 ? "BNS_" : whole;
    case "attn_mask":
      return rank === 4 ? "B_S_" : rank === 3 ? "BS_" : "S_";
    case "prefix":
    case "actual_seq_lengths":
    case "actual_seq_lengths_kv":
    case "actual_seq_qlen":
    case "actual_seq_kvlen":
      return query.includes("T") ? "T" : "B";
    default:
      return whole;
  }
}

/** Results by the dims of the query, as far as these have the same size. */
function attention(call: LinkCall): Links {
  const { inputs, outputs } = attentionLetters(call);
  const [query = ""] = inputs;
  const linked = (letter: string, size: number): LinkedDim => {
    const dim = letter === "_" ? -1 : query.indexOf(letter);
    return dim >= 0 && call.shapes[0]?.[dim] === size ? kept(call, [0, dim]) : own(size);
  };
  return {
    outputs: outputs.map(({ letters, shape }) =>
      shape.map((size, dim) => linked(letters[dim] ?? "_", size)),
    ),
  };
}

/** Attention of MindSpore as one operator. */
export const attentionRows: readonly SpecRow[] = [
  [
    "FlashAttentionScore",
    "head_num keep_prob scale_value pre_tokens next_tokens inner_precise input_layout sparse_mode",
    operandsOf.FlashAttentionScore ?? "",
    attention,
  ],
  [
    "PromptFlashAttention",
    "num_heads scale_value pre_tokens next_tokens input_layout num_key_value_heads sparse_mode inner_precise",
    operandsOf.PromptFlashAttention ?? "",
    attention,
  ],
];
