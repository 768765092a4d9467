import type { Box } from "#core/indexspace";
import { containsBox, sameBox } from "#core/indexspace";
import type { Hover } from "#systems/system/explain";
import { type LoomFacts, nodeAround, rangeSentence, rangeWords } from "./facts.ts";
import { nodeTitle } from "./outline.ts";
import type { LoomPlace } from "./place.ts";

/** Hover of a range, on its name or its numbers: its cells, and its share of the tensor. */
export function rangeHover(facts: LoomFacts, place: LoomPlace): Omit<Hover, "span"> | undefined {
  const { way, opens, isName, texts } = place;
  const full = isName ? [...way, wordAt(facts, place)] : way;
  const at = full.findLastIndex((step) => step === "range" || /#\/tags\/IPFIndex$/.test(`${step}`));
  if (at < 0) return undefined;
  const from = opens[at + 1] ?? behind(facts, place);
  const range = rangeAt(facts.texts.json, from);
  if (range === undefined) return undefined;
  const id = texts[at]?.get("tensorId");
  const tensor = id === undefined ? nodeAround(facts, place) : facts.byId.get(id.toLowerCase());
  const isSelection = id !== undefined && tensor?.range !== undefined;
  const lines = [rangeSentence(range)];
  if (isSelection && tensor?.range !== undefined) {
    const isInside = range.length === tensor.range.length && containsBox(tensor.range, range);
    const whole = sameBox(range, tensor.range)
      ? "the whole of"
      : isInside
        ? "a part of"
        : "outside";
    lines.push(`${whole} ${nodeTitle(tensor)}, which is ${rangeWords(tensor.range)}`);
  }
  return { title: rangeWords(range), lines };
}

/** Hover of a projection function, on any of its names: each tensor dim as a sum of index axes. */
export function projectionHover(
  facts: LoomFacts,
  place: LoomPlace,
): Omit<Hover, "span"> | undefined {
  const { way } = place;
  const isInside = way[2] === "tags" && `${way[3]}`.endsWith("IPFSignature") && way.length >= 6;
  if (!isInside) return undefined;
  const id = place.texts[2]?.get("id")?.toLowerCase();
  const view = facts.reading?.operations.find((each) => each.id === id);
  const operand = view?.operands.find(
    ({ side, name, position }) => side === way[4] && name === way[5] && position === way[6],
  );
  if (view === undefined || operand?.projection === undefined) return undefined;
  const lines = operand.projection.map(({ coefficients, offset, extent }, dim) => {
    const terms = coefficients.flatMap((factor, axis) => {
      if (factor === 0) return [];
      const name = view.axes[axis] ?? `i${axis}`;
      return [factor === 1 ? name : `${factor}·${name}`];
    });
    const start = [...terms, ...(offset !== 0 || terms.length === 0 ? [`${offset}`] : [])];
    return `dim ${dim}: ${start.join(" + ")}, ${extent} ${extent === 1 ? "cell" : "cells"}`;
  });
  return { title: `${operand.name}[${operand.position}]`, lines };
}

function wordAt({ texts }: LoomFacts, { token }: LoomPlace): string {
  return token === undefined ? "" : texts.json.slice(token.from + 1, token.to - 1);
}

/** Offset of the next opening bracket after a name. */
function behind({ texts }: LoomFacts, { token }: LoomPlace): number {
  const at = texts.json.indexOf("{", token?.to ?? 0);
  return at < 0 ? texts.json.length : at;
}

/** The range whose object begins at an offset; `undefined` when it is incomplete. */
function rangeAt(json: string, from: number): Box | undefined {
  const text = json.slice(from, json.indexOf("}", from) + 1);
  const list = (name: string) => {
    const inside = new RegExp(`"${name}"\\s*:\\s*\\[([-\\d\\s,]*)\\]`).exec(text)?.[1];
    return inside === undefined
      ? undefined
      : inside.split(",").filter((word) => word.trim() !== "");
  };
  const [start, end] = [list("start"), list("end")];
  if (start === undefined || end === undefined || start.length !== end.length) return undefined;
  return start.map((word, dim) => ({ start: Number(word), stop: Number(end[dim]) }));
}
