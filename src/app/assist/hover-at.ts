import type { Facts } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { annotationMarkHover, bracketHover } from "./hover-annotation.ts";
import { axisHover } from "./hover-axis.ts";
import { annotationHover, strategyKeyHover } from "./hover-identifier.ts";
import { interleavedHover, layoutEntryHover, matrixHover } from "./hover-layout.ts";
import { modeHover, primitiveAttributeHover } from "./hover-mindspore.ts";
import { attributeHover, callHover } from "./hover-operator.ts";
import { policyHover } from "./hover-policy.ts";
import { tupleHover } from "./hover-tuple.ts";
import { shapesKeyHover, targetHover, valueHover } from "./hover-value.ts";
import { parameterHover, textHover } from "./hover-word.ts";
import { type Place, placeAt } from "./place.ts";

/** The most particular that is known of a place first. */
const readers: readonly ((facts: Facts, place: Place) => Hover | undefined)[] = [
  bracketHover,
  annotationHover,
  annotationMarkHover,
  strategyKeyHover,
  tupleHover,
  primitiveAttributeHover,
  modeHover,
  policyHover,
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

/** What is said of a place of the text; nothing where there is nothing to say. */
export function hoverAt(facts: Facts, offset: number): Hover | undefined {
  const place = placeAt(facts, offset);
  for (const read of readers) {
    const hover = read(facts, place);
    if (hover !== undefined) return hover;
  }
  return undefined;
}
