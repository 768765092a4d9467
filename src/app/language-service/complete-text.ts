import { policyNames } from "#compile";
import { machinePresets, machineSize, parseMachine } from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import {
  type CallPlace,
  callAround,
  insideOf,
  type TextPlace,
  typedInside,
} from "#language/tokens";
import { dtypeNames, optimizerNames } from "./argument-values.ts";
import { type CompletionItem, type CompletionList, noCompletions } from "./completion.ts";
import type { Facts } from "./facts.ts";
import { layoutNames } from "./layout-names.ts";
import { aliasItems, isAlias } from "./layout-values.ts";
import { targetNames, wildcardNames } from "./targets.ts";
import { byGain, trialText, tryEach } from "./trial.ts";

/** Completions inside a string, by the surrounding call: mesh axes, tensor names, data types. */
export function completeText(
  facts: Facts,
  place: TextPlace,
  isSpent: () => boolean,
): CompletionList {
  const around = callAround(place.open);
  if (place.token === undefined || around === undefined) return noCompletions(place.offset);
  const whole = insideOf(facts.source, place.token);
  if (whole.quote.length > 1) return noCompletions(place.offset);
  const inside = { ...whole, span: typedInside(facts.source, place.token, place.offset) };
  const isTarget = /^(strategy|place|reshard|pin)$/.test(around.word) && around.path[0] === 0;
  if (isTarget) return { span: inside.span, items: targetItems(facts, around, closerOf(inside)) };
  if (/^(Tensor|Parameter)$/.test(around.word)) {
    return { span: inside.span, items: dtypeItems(closerOf(inside)) };
  }
  if (around.call.keyword === "hardware") {
    return { span: inside.span, items: machineItems(facts, inside, isSpent) };
  }
  if (around.call.keyword === "optimizer") {
    const items = optimizerNames.map((name) => plain(name, "word", "", closerOf(inside)));
    return { span: inside.span, items };
  }
  if (around.word === "reshard" && around.call.keyword === "steps") {
    const items = policyNames().map((name) =>
      plain(name, "word", "its own steps", closerOf(inside)),
    );
    return { span: inside.span, items };
  }
  if (isAlias(around)) {
    const items = aliasItems(facts, around, ["", closerOf(inside)]);
    return { span: inside.span, items };
  }
  if (!takesAxes(facts, around)) return noCompletions(place.offset);
  const closer = closerOf(inside);
  return { span: inside.span, items: axisItems(facts, inside.span, ["", closer], isSpent) };
}

type Inside = ReturnType<typeof insideOf>;

/** The missing closing quote; empty if the string is closed. */
function closerOf({ isClosed, quote }: Inside): string {
  return isClosed ? "" : quote;
}

/** Whether the call takes mesh axes: `strategy(…)`, `place(…)`, and calls of layouts. */
function takesAxes(facts: Facts, around: CallPlace): boolean {
  return /^(strategy|place)$/.test(around.word) || isLayout(facts, around);
}

/** Whether the call is `layout(…)`, or that of a variable bound to a `Layout`. */
export function isLayout({ source }: Facts, { call, word }: CallPlace): boolean {
  if (word === "layout") return true;
  return layoutNames(source).has(call.callee);
}

/** Machines with their effect on the plan; those with as many devices as the mesh come first. */
function machineItems(
  facts: Facts,
  inside: Inside,
  isSpent: () => boolean,
): readonly CompletionItem[] {
  const devices = facts.compiled.mesh.mesh.devices.length;
  const isFitting = (preset: string) => {
    const machine = parseMachine(preset);
    return machine.ok && machineSize(machine.value) === devices;
  };
  const presets = [
    ...machinePresets.filter(isFitting),
    ...machinePresets.filter((preset) => !isFitting(preset)),
  ];
  const closer = closerOf(inside);
  const texts = presets.map((preset) => preset + closer);
  const trials = tryEach(facts, inside.span, texts, {
    base: `${presets[0] ?? ""}${closer}`,
    isSpent,
  });
  return presets.map((preset, index) => {
    const trial = trials[index];
    return plain(preset, "word", trial === undefined ? "" : trialText(trial), closer);
  });
}

/** The mesh axes that are legal here, and `"None"`, sorted by gain. */
export function axisItems(
  facts: Facts,
  span: Span,
  [before, behind]: readonly [string, string],
  isSpent: () => boolean,
): readonly CompletionItem[] {
  const { axes } = facts.compiled.mesh.mesh;
  const candidates = [...axes.map(({ name }) => name), "None"];
  const texts = candidates.map((name) => before + name + behind);
  const trials = tryEach(facts, span, texts, { base: `${before}None${behind}`, isSpent });
  return candidates
    .flatMap((name, index) => {
      const trial = trials[index];
      if (trial === undefined || trial.kind === "fault") return [];
      const size = axes[index]?.size;
      const meaning = size === undefined ? "Not cut." : `Mesh axis of size ${size}.`;
      const insert = texts[index] ?? name;
      return [
        {
          trial,
          item: { label: name, kind: "axis" as const, insert, detail: trialText(trial), meaning },
        },
      ];
    })
    .sort((a, b) => byGain(a.trial, b.trial))
    .map(({ item }) => item);
}

function targetItems(facts: Facts, { word }: CallPlace, closer: string): readonly CompletionItem[] {
  const names = targetNames(facts, word);
  return [
    ...wildcardNames(names).map((name) => plain(name, "tensor", "all of that name", closer)),
    ...names.map((name) => plain(name, "tensor", "", closer)),
  ].slice(0, 400);
}

function dtypeItems(closer: string): readonly CompletionItem[] {
  return dtypeNames.map((name) => plain(name, "dtype", "", closer));
}

function plain(
  label: string,
  kind: CompletionItem["kind"],
  detail: string,
  closer: string,
): CompletionItem {
  return { label, kind, insert: label + closer, detail };
}
