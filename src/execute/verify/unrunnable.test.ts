import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileText } from "#app/language-service";
import { runPlan } from "./index.ts";

test("kernels that only say which cells they touch are named, since they compute nothing", () => {
  const example = examples.find(({ name }) => name === "loom-expression");
  if (example === undefined) throw new Error("no such example");
  const { plan, program } = compileText(exampleText(example));
  const { ok, diagnostics } = runPlan(plan, program, { seed: 1, values: "integers" });
  expect(ok).toBe(false);
  expect(diagnostics[0]).toMatchObject({
    code: "execute/no-body",
    severity: "error",
    message: expect.stringMatching(/^the kernel ".+" of ".+" has no body here/),
  });
});
