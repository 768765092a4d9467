import { placeAt, type TextPlace } from "#language/tokens";
import { systems } from "#systems";
import type { Facts } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { annotationMarkHover, bracketHover } from "./hover-annotation.ts";
import { axisHover } from "./hover-axis.ts";
import { annotationHover, strategyKeyHover } from "./hover-identifier.ts";
import { interleavedHover, layoutEntryHover, matrixHover } from "./hover-layout.ts";
import { attributeHover, callHover } from "./hover-operator.ts";
import { shapesKeyHover, targetHover, valueHover } from "./hover-value.ts";
import { parameterHover, textHover } from "./hover-word.ts";

/** The hover readers, most specific first. */
const readers: readonly ((facts: Facts, place: TextPlace) => Hover | undefined)[] = [
  bracketHover,
  annotationHover,
  annotationMarkHover,
  strategyKeyHover,
  systemHover,
  targetHover,
  layoutEntryHover,
  axisHover,
  interleavedHover,
  matrixHover,
  textHover,
  shapesKeyHover,
  parameterHover,
  callHover,
  attributeHover,
  valueHover,
];

/** The systems' hover for their own words. */
function systemHover(facts: Facts, place: TextPlace): Hover | undefined {
  for (const { explains } of systems) {
    for (const read of explains?.hovers ?? []) {
      const hover = read(facts, place);
      if (hover !== undefined) return hover;
    }
  }
  return undefined;
}

/** The hover at an offset of the text; `undefined` if there is none. */
export function hoverAt(facts: Facts, offset: number): Hover | undefined {
  const place = placeAt(facts, offset);
  for (const read of readers) {
    const hover = read(facts, place);
    if (hover !== undefined) return hover;
  }
  return undefined;
}
