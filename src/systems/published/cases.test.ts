import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PublishedCase, verdictOf } from "./cases.testing.ts";
import { readJaxpr } from "./jaxpr/read-jaxpr.ts";
import { readOnnx } from "./onnx/read-onnx.ts";
import { readPt2 } from "./pt2/read-pt2.ts";
import { fileOf } from "./published.testing.ts";
import { readStablehlo } from "./stablehlo/read-stablehlo.ts";

const bytesOf = (model: string) => Uint8Array.from(Buffer.from(model, "base64"));

const readers = {
  onnx: (model: string) => readOnnx(fileOf("m.onnx", bytesOf(model)), {}),
  pt2: (model: string) => readPt2(fileOf("m.pt2", bytesOf(model)), {}),
  stablehlo: (model: string) => readStablehlo(fileOf("m.mlir", model)),
  jaxpr: (model: string) => readJaxpr(fileOf("m.jaxpr", model)),
};

test.each(Object.entries(readers))(
  "what a file of %s says is read as its system runs it, or is said not to be",
  (format, read) => {
    const path = join(import.meta.dirname, format, "fixtures/cases.json");
    const cases: readonly PublishedCase[] = JSON.parse(readFileSync(path, "utf8"));
    const verdicts = cases.map((each) => [each.name, verdictOf(each, read)] as const);
    const said = /^(?:same|assumed|said|refused|fault: .*)$/u;
    expect(verdicts.filter(([, verdict]) => !said.test(verdict))).toEqual([]);
    // Refusing everything would pass the other checks: most cases must be read, and with equal
    // numbers.
    const same = verdicts.filter(([, verdict]) => verdict === "same");
    expect(same.length).toBeGreaterThan(cases.length / 2);
  },
);
