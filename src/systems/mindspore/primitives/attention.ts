import { inputsNamed, numberOf } from "./arguments.ts";
import { kept, type LinkCall, type LinkedDim, type Links, own, type Ref } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/**
 * Letters of the query's dims by input_layout: batch (B), head (N), position (S), position over all
 * batches (T).
 */
const layouts: Readonly<Record<string, string>> = {
  BSH: "BSN",
  SBH: "SBN",
  BNSD: "BNS_",
  BSND: "BSN_",
  TND: "TN_",
};

/** Index of the query's position dim; -1 if it has none. */
export function sequenceDim(layout: unknown): number {
  return (layouts[typeof layout === "string" ? layout : "BSH"] ?? "").indexOf("S");
}

const operandsOf: Readonly<Record<string, string>> = {
  FlashAttentionScore:
    "query key value real_shift drop_mask padding_mask attn_mask prefix actual_seq_qlen actual_seq_kvlen",
  FusedInferAttentionScore:
    "query key value pse_shift attn_mask actual_seq_lengths actual_seq_lengths_kv dequant_scale1 quant_scale1 dequant_scale2 quant_scale2 quant_offset2 antiquant_scale antiquant_offset block_table query_padding_size kv_padding_size key_antiquant_scale key_antiquant_offset value_antiquant_scale value_antiquant_offset key_shared_prefix value_shared_prefix actual_shared_prefix_len",
  IncreFlashAttention:
    "query key value attn_mask actual_seq_lengths pse_shift dequant_scale1 quant_scale1 dequant_scale2 quant_scale2 quant_offset2 antiquant_scale antiquant_offset block_table kv_padding_size",
  PagedAttention:
    "query key_cache value_cache block_tables context_lens antiquant_scale antiquant_offset attn_mask q_seq_lens alibi_mask",
  PagedAttentionMask:
    "query key_cache value_cache block_tables context_lens antiquant_scale antiquant_offset alibi_mask",
  PromptFlashAttention:
    "query key value attn_mask actual_seq_lengths actual_seq_lengths_kv pse_shift deq_scale1 quant_scale1 deq_scale2 quant_scale2 quant_offset2",
};

/**
 * The dims of an attention's operands and results as letters. `_` is a dim that stays whole, `*`
 * one whose cut MindSpore ignores, K the position of keys with a cut of its own.
 */
export function attentionLetters(call: LinkCall): {
  readonly inputs: readonly string[];
  readonly outputs: readonly { readonly letters: string; readonly shape: readonly number[] }[];
} {
  const { input_layout: layout } = call.attributes;
  // With a paged cache only heads are cut.
  const isPaged = call.op.startsWith("Paged");
  const query = isPaged ? "__N" : (layouts[typeof layout === "string" ? layout : "BSH"] ?? "___");
  const names = inputNames(call);
  const [shape = []] = call.shapes;
  const keys = keyPositions[call.op] ?? "_";
  const inputs = call.shapes.map((each, input) => lettersOf(names[input] ?? "", query, each, keys));
  const result = { letters: query, shape };
  if (call.op === "FusedInferAttentionScore") {
    const at = (letter: string) => shape[query.indexOf(letter)] ?? 1;
    const isAsked = call.attributes.softmax_lse_flag === true;
    const sums = isAsked
      ? { letters: "BNS_", shape: [at("B"), numberOf(call, "num_heads", 1), at("S"), 1] }
      : { letters: "_", shape: [1] };
    return { inputs, outputs: [result, sums] };
  }
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

/** The letter of key positions, for operators that accept them cut. */
const keyPositions: Readonly<Record<string, string>> = {
  FusedInferAttentionScore: "K",
  IncreFlashAttention: "S",
};

/**
 * The letters of an operand's dims. Keys and values keep all positions by default; masks follow the
 * queries.
 */
function lettersOf(
  name: string,
  query: string,
  { length: rank }: readonly number[],
  keys: string,
): string {
  const whole = "_".repeat(rank);
  switch (name) {
    case "query":
      return query;
    case "key":
    case "value":
      return query.replace("S", keys);
    case "key_cache":
    case "value_cache":
      return "__N_";
    case "alibi_mask":
      return "_N__";
    case "antiquant_scale":
    case "antiquant_offset":
      return rank === 2 ? "_N" : rank === 4 ? "_N__" : whole;
    case "real_shift":
    case "drop_mask":
    case "pse_shift":
      return rank === 4 ? "BNS_" : whole;
    case "attn_mask":
      return rank === 4 ? "B_S*" : rank === 3 ? "BS*" : "S*";
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

/** Links of results to the dims of the query of equal size. */
function attention(call: LinkCall): Links {
  const { inputs, outputs } = attentionLetters(call);
  const [query = ""] = inputs;
  const linked = (letter: string, size: number): LinkedDim => {
    const dim = letter === "_" ? -1 : query.indexOf(letter);
    if (dim < 0 || call.shapes[0]?.[dim] !== size) return own(size);
    // Operands with the same dim and size are cut with it; broadcast or shared operands are not.
    const alike = inputs.flatMap((letters, input) =>
      [...letters].flatMap((each, at): Ref[] =>
        each === letter && call.shapes[input]?.[at] === size ? [[input, at]] : [],
      ),
    );
    return kept(call, ...alike);
  };
  return {
    outputs: outputs.map(({ letters, shape }) =>
      shape.map((size, dim) => linked(letters[dim] ?? "_", size)),
    ),
  };
}

/** Attention primitives of MindSpore. */
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
  [
    "FusedInferAttentionScore",
    "num_heads scale_value pre_tokens next_tokens input_layout num_key_value_heads sparse_mode inner_precise block_size antiquant_mode softmax_lse_flag key_antiquant_mode value_antiquant_mode",
    operandsOf.FusedInferAttentionScore ?? "",
    attention,
    { takesLists: true },
  ],
  [
    "IncreFlashAttention",
    "num_heads input_layout scale_value num_key_value_heads block_size inner_precise",
    operandsOf.IncreFlashAttention ?? "",
    attention,
    { takesLists: true },
  ],
  ...["PagedAttention", "PagedAttentionMask"].map(
    (name): SpecRow => [
      name,
      "head_num scale_value kv_head_num kv_cache_quant_mode mask_mode mla_v_dim",
      operandsOf[name] ?? "",
      attention,
    ],
  ),
];
