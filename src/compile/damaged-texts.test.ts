import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "./compile.ts";

interface Seed {
  readonly request: { readonly args: { readonly program?: string } };
}

const seeds: { readonly cases: readonly Seed[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);
const texts = [
  ...examples.map(({ program }) => program),
  ...seeds.cases.flatMap(({ request }) => request.args.program ?? []),
].filter((text) => text.length < 3_000);

/** A damaged text: one piece replaced by signs, words, or a piece of another program. */
const damages = fc.record({
  text: fc.nat(texts.length - 1),
  at: fc.nat(3_000),
  cut: fc.nat(12),
  put: fc.oneof(
    fc.constantFrom("", "(", ")", "=", ",", "\n", '"', "0", "-1", "None", "10**9", "**", "x", "dp"),
    fc.constantFrom('strategy("*", b="dp")\n', "mesh = Mesh(dp=3)\n", "train(y)\n", "for i in x: "),
    fc
      .tuple(fc.nat(texts.length - 1), fc.nat(3_000), fc.nat(60))
      .map(([other, from, length]) => (texts[other] ?? "").slice(from, from + length)),
  ),
});

const numRuns = process.env.SOAK ? 10_000 : 60;

test("no damaged program throws on its whole way", () => {
  fc.assert(
    fc.property(damages, ({ text: index, at, cut, put }) => {
      const text = texts[index] ?? "";
      const from = at % text.length;
      const damaged = text.slice(0, from) + put + text.slice(from + cut);
      const { diagnostics } = compile(damaged);
      for (const { span, message } of diagnostics) {
        expect(message).not.toBe("");
        expect(span?.from ?? 0).toBeGreaterThanOrEqual(0);
        expect(span?.to ?? 0).toBeLessThanOrEqual(damaged.length + 1);
      }
    }),
    { seed: 5, numRuns },
  );
});
