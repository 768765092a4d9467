import fc from "fast-check";
import { caseTexts } from "./loom.testing.ts";

const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 2.5, 3e9, "", "x", [], {}, [[]], [0], [1, 2], { start: [0] }),
  fc.constantFrom(...["int32", "loom:Tensor", "00000000-0000-4000-8000-000000000001"]),
);

type Change = readonly [at: number, what: string, value: unknown];

const ways = ["shift", "shift", "shift", "replace", "remove", "double", "rename", "copy"];

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom(...ways), values),
  { minLength: 1, maxLength: 3 },
);

/** All places inside a value, each as a container and a key. */
function placesIn(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  return Object.keys(fields).flatMap((key) => [[fields, key] as const, ...placesIn(fields[key])]);
}

/** Text of a graph after changes somewhere inside it. */
function mutated(text: string, list: readonly Change[]): string {
  const root: unknown = JSON.parse(text);
  for (const [at, what, value] of list) {
    const every = placesIn(root);
    const places = what === "shift" ? every.filter(isNumber) : every;
    const [owner, key] = places[at % Math.max(1, places.length)] ?? [{}, ""];
    const [other, otherKey] = places[(at * 7 + 3) % Math.max(1, places.length)] ?? [{}, ""];
    if (what === "shift") owner[key] = Number(owner[key]) + (at % 5) - 2;
    else if (what === "replace") owner[key] = value;
    else if (what === "copy") owner[key] = JSON.parse(JSON.stringify(other[otherKey] ?? null));
    else if (what === "double" && Array.isArray(owner)) owner.push(owner[Number(key)]);
    else if (what === "rename" && !Array.isArray(owner)) owner[`${key}-2`] = owner[key];
    else if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else delete owner[key];
  }
  return JSON.stringify(root, undefined, list.length % 2);
}

function isNumber([owner, key]: readonly [Record<string, unknown>, string]): boolean {
  return typeof owner[key] === "number";
}

const jsonCases = caseTexts.filter(({ id }) => !/placeholder|trailing-comma/.test(id));

/** Texts of the conformance cases with a few changes somewhere inside. */
export const mutatedTexts: fc.Arbitrary<string> = fc
  .tuple(fc.nat(jsonCases.length - 1), changes)
  .map(([at, list]) => mutated(jsonCases[at]?.text ?? "{}", list));
