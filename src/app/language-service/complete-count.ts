import { callAround, type TextPlace } from "#language/tokens";
import { divisorsOf } from "./argument-values.ts";
import { type CompletionItem, type CompletionList, noCompletions } from "./completion.ts";
import type { Facts } from "./facts.ts";
import { byGain, trialText, tryEach } from "./trial.ts";

/** Completions in a tuple of `.shard(…)`: the legal numbers of pieces, sorted by gain. */
export function completeCount(
  facts: Facts,
  { offset, token, text, open }: TextPlace,
  isSpent: () => boolean,
): CompletionList {
  const around = callAround(open);
  if (around?.word !== "shard" || around.path.length < 2) return noCompletions(offset);
  const span = token?.kind === "number" ? token : { from: offset, to: offset };
  const devices = Math.max(facts.compiled.mesh.mesh.devices.length, Number(text) || 1);
  const counts = divisorsOf(devices).map(String);
  const trials = tryEach(facts, span, counts, { base: "1", isSpent });
  const items = counts
    .flatMap((count, index) => {
      const trial = trials[index];
      return trial === undefined || trial.kind === "fault"
        ? []
        : [{ trial, item: countItem(count, trialText(trial)) }];
    })
    .sort((a, b) => byGain(a.trial, b.trial));
  return { span: { from: span.from, to: span.to }, items: items.map(({ item }) => item) };
}

function countItem(count: string, detail: string): CompletionItem {
  const meaning = count === "1" ? "Not split." : `${count} pieces.`;
  return { label: count, kind: "count", insert: count, detail, meaning };
}
