import { greatestCommonDivisor } from "#core/arithmetic";
import { type Diagnostic, passed } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import type { MapEntry } from "../layout.ts";
import { attentionLetters } from "../primitives/attention.ts";
import {
  type Inferred,
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valueAt,
} from "./call.ts";

/**
 * Ring attention sends keys and values around the devices, which no partition of index axes
 * expresses.
 */
const ringNote: Diagnostic = {
  code: "mindspore/ring-attention",
  severity: "warning",
  message:
    "keys and values go round between the devices here, which is not drawn: the attention is drawn whole",
};

/** Warning for keys that are sharded along their positions while the queries are the same. */
const keysNote: Diagnostic = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "keys and values are cut along their positions, and without softmax_lse_flag MindSpore 2.10 does not join what the devices make of them: its values are wrong",
};

/**
 * The collectives that combine the results over sharded keys: first the maxima, then sums of both
 * results.
 */
const joins = ["AllGather", "AllReduce", "AllReduce"] as const;

/** Why strategies of keys and values are refused, for operators that compare their whole tuples. */
function unlikeKeys({ op, strategies, attributes: { nested } }: TupleCall): string | undefined {
  if (op === "FusedInferAttentionScore" && Array.isArray(nested) && !(nested[1] && nested[2]))
    return `${op} takes lists of keys and values: the strategy of each stands in a tuple of its own`;
  const [query = [], key = [], value = []] = strategies.map((tuple) => tuple.join());
  if (op === "FusedInferAttentionScore" && key !== value)
    return `${op} needs equal strategies of its keys and values`;
  return op === "IncreFlashAttention" && (query !== key || key !== value)
    ? `${op} needs equal strategies of its queries, keys and values`
    : undefined;
}

function goesRound({ attributes }: OperatorCall): boolean {
  return attributes.enable_ring_attention === true || attributes.enable_flash_sp === true;
}

/**
 * Number of leading operands that each operator splits on dim 0 without a strategy; 1 for other
 * operators.
 */
const splitByDefault: Readonly<Record<string, number>> = {
  FlashAttentionScore: Number.POSITIVE_INFINITY,
  IncreFlashAttention: 3,
  PromptFlashAttention: 3,
};

/**
 * The default strategy: dim 0 of the leading operands counted in `splitByDefault`, over as many
 * devices as divide all of them. PromptFlashAttention and IncreFlashAttention also split dim 0 of
 * operands with more than two dims, such as masks (`ReComputeBatchSplitFlagList`).
 */
function rowsOfOperands({ op, shapes, devices }: OperatorCall): readonly (readonly number[])[] {
  const first = fieldOf(splitByDefault, op) ?? 1;
  const isSplit = shapes.map(({ length }, input) => input < first || (first > 1 && length > 2));
  const rows = shapes.filter((_, input) => isSplit[input]).map(([size = 1]) => size);
  const pieces = rows.reduce(greatestCommonDivisor, devices);
  return shapes.map((shape, input) =>
    shape.map((_, dim) => (isSplit[input] === true && dim === 0 ? pieces : 1)),
  );
}

/**
 * Rule of FlashAttentionScore and similar operators: batches, heads and queries may be cut, each on
 * a device axis of its own, in the order of the query's dims (`flash_attention_score_info`). Other
 * operands are cut as the dims that they share with the query, or not at all.
 */
export const attentionRule: OperatorRule = {
  defaultStrategies: rowsOfOperands,
  tuples: (call) => {
    const { op, shapes, strategies } = call;
    const { inputs, outputs } = attentionLetters(call);
    const [query = ""] = inputs;
    const axes = [...query].filter((letter) => letter !== "_");
    const cutOfKeys = strategies[1]?.[inputs[1]?.indexOf("K") ?? -1] ?? 1;
    const ofQuery = (letter: string) => strategies[0]?.[query.indexOf(letter)] ?? 1;
    const countAlong = (letter: string) => (letter === "K" ? cutOfKeys : ofQuery(letter));
    const isRing = goesRound(call);
    if (
      call.attributes.enable_ring_attention === true &&
      /^(SBH|BSND|TND)$/.test(String(call.attributes.input_layout))
    )
      return refused("ring attention takes the input_layout BSH and BNSD only");
    if (op.startsWith("Fused") && isRing && call.attributes.softmax_lse_flag !== true)
      return refused("ring attention needs softmax_lse_flag=True");
    const unlike = unlikeKeys(call);
    if (unlike !== undefined) return refused(unlike);
    for (const [input, letters] of inputs.entries()) {
      for (const [dim, letter] of [...letters].entries()) {
        const pieces = strategies[input]?.[dim] ?? 1;
        // Sequences that lie behind each other are cut in all operands alike.
        if (pieces === 1 && (letter !== "T" || op !== "FlashAttentionScore")) continue;
        if (letter === "*" || (letter === "_" && isRing)) continue;
        if (letter === "_")
          return refused(`${op} cannot be split on dim ${dim} of its input ${input}`);
        if (pieces !== countAlong(letter)) {
          const values = `${countAlong(letter)} and ${pieces}`;
          return refused(`${op} needs equal strategy values, but they are ${values}`);
        }
      }
    }
    const entry = (letter: string, pieces: number): MapEntry => {
      const at = axes.indexOf(letter === "K" ? "S" : letter);
      return at < 0 || pieces === 1 ? -1 : valueAt(axes.length, at);
    };
    const inferred: Inferred = {
      deviceMatrix: axes.map((letter) =>
        letter === "S" ? Math.max(cutOfKeys, countAlong(letter)) : countAlong(letter),
      ),
      inputMaps: shapes.map((shape, input) =>
        shape.map((_, dim) => entry(inputs[input]?.[dim] ?? "_", strategies[input]?.[dim] ?? 1)),
      ),
      outputs: outputs.map(({ letters, shape }) => ({
        shape,
        map: [...letters].map((letter) => entry(letter, countAlong(letter))),
      })),
      forward: [],
    };
    if (isRing) return passed(inferred, [ringNote]);
    if (cutOfKeys === 1) return passed(inferred);
    const isJoined = call.attributes.softmax_lse_flag === true && ofQuery("S") === 1;
    if (!isJoined) return passed(inferred, [keysNote]);
    const position = [valueAt(axes.length, axes.indexOf("S"))];
    const forward = joins.map((primitive) => ({ primitive, axes: position }));
    return passed({ ...inferred, forward });
  },
  layouts: (call) => {
    const { shapes, maps, deviceMatrix } = call;
    const { inputs, outputs } = attentionLetters(call);
    const [query = ""] = inputs;
    const entry = (letter: string): MapEntry =>
      letter === "_" ? -1 : (maps[0]?.[query.indexOf(letter)] ?? -1);
    return passed({
      deviceMatrix,
      inputMaps: shapes.map((_, input) => maps[input] ?? []),
      outputs: outputs.map(({ letters, shape }) => ({
        shape,
        map: shape.map((_, dim) => entry(letters[dim] ?? "_")),
      })),
      forward: [],
    });
  },
};

/**
 * Rule of FusedInferAttentionScore, whose keys and values are lists, so that it needs an explicit
 * strategy.
 */
export const fusedAttentionRule: OperatorRule = {
  ...attentionRule,
  noDefault:
    "FusedInferAttentionScore has no strategy, and MindSpore 2.10 makes none for an operator of lists: give it one",
};
