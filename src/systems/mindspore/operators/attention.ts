import { type Diagnostic, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { attentionLetters } from "../primitives/attention.ts";
import { type Inferred, type OperatorCall, type OperatorRule, refused, valueAt } from "./call.ts";

/** Keys and values that go round between the devices: no cut of the index axes says it. */
const ringNote: Diagnostic = {
  code: "mindspore/ring-attention",
  severity: "warning",
  message:
    "keys and values go round between the devices here, which is not drawn: the attention is drawn whole",
};

function goesRound({ attributes }: OperatorCall): boolean {
  return attributes.enable_ring_attention === true || attributes.enable_flash_sp === true;
}

/**
 * FlashAttentionScore and its like: batches, heads and queries may be cut, each on a device axis of
 * its own in the order in which the query has them (`flash_attention_score_info`). Other operands
 * are cut as the dims that they share with it, or not at all.
 */
export const attentionRule: OperatorRule = {
  tuples: (call) => {
    const { op, shapes, strategies } = call;
    const { inputs, outputs } = attentionLetters(call);
    const [query = ""] = inputs;
    const axes = [...query].filter((letter) => letter !== "_");
    const piecesOf = (letter: string) => strategies[0]?.[query.indexOf(letter)] ?? 1;
    const isRing = goesRound(call);
    if (
      call.attributes.enable_ring_attention === true &&
      /^(SBH|BSND|TND)$/.test(String(call.attributes.input_layout))
    )
      return refused("ring attention takes the input_layout BSH and BNSD only");
    for (const [input, letters] of inputs.entries()) {
      for (const [dim, letter] of [...letters].entries()) {
        const pieces = strategies[input]?.[dim] ?? 1;
        if (pieces === 1) continue;
        if (letter === "_" && isRing) continue;
        if (letter === "_")
          return refused(`${op} cannot be split on dim ${dim} of its input ${input}`);
        if (pieces !== piecesOf(letter)) {
          const values = `${piecesOf(letter)} and ${pieces}`;
          return refused(`${op} needs equal strategy values, but they are ${values}`);
        }
      }
    }
    const entry = (letter: string, pieces: number): MapEntry => {
      const at = axes.indexOf(letter);
      return at < 0 || pieces === 1 ? -1 : valueAt(axes.length, at);
    };
    const inferred: Inferred = {
      deviceMatrix: axes.map(piecesOf),
      inputMaps: shapes.map((shape, input) =>
        shape.map((_, dim) => entry(inputs[input]?.[dim] ?? "_", strategies[input]?.[dim] ?? 1)),
      ),
      outputs: outputs.map(({ letters, shape }) => ({
        shape,
        map: [...letters].map((letter) => entry(letter, piecesOf(letter))),
      })),
      forward: [],
    };
    return isRing ? passed(inferred, [ringNote]) : passed(inferred);
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
