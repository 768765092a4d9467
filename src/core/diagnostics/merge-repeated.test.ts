import { expect, test } from "vitest";
import { type Diagnostic, mergeRepeatedDiagnostics } from "./index.ts";

const span = { from: 3, to: 9 };

function said(message: string, more: Partial<Diagnostic> = {}): Diagnostic {
  return { code: "cli/bad-request", severity: "warning", message, span, ...more };
}

const layers = Array.from({ length: 80 }, (_, at) => at);

test.each`
  what                      | messages                                             | folded
  ${"equal layers"}         | ${layers.map((at) => `"m.layers[${at}].y" is late`)} | ${['"m.layers[0..79].y" is late (×80)']}
  ${"paths with points"}    | ${layers.map((at) => `"m.layers.${at}.w" is late`)}  | ${['"m.layers.0..79.w" is late (×80)']}
  ${"the same words"}       | ${["late", "late", "late"]}                          | ${["late (×3)"]}
  ${"gaps"}                 | ${['"a[0]" x', '"a[2]" x']}                          | ${['"a[*]" x (×2)']}
  ${"an index that is one"} | ${['"a[1].b[3]" x', '"a[2].b[3]" x']}                | ${['"a[1..2].b[3]" x (×2)']}
  ${"other names"}          | ${['"a[0]" x', '"b[0]" x']}                          | ${['"a[0]" x', '"b[0]" x']}
  ${"other numbers"}        | ${["[8, 4] has 2 dims", "[16, 4] has 2 dims"]}       | ${["[8, 4] has 2 dims", "[16, 4] has 2 dims"]}
  ${"names with a number"}  | ${['"w1" x', '"w2" x']}                              | ${['"w1" x', '"w2" x']}
  ${"figures with a point"} | ${["takes 1.5 s", "takes 1.7 s"]}                    | ${["takes 1.5 s", "takes 1.7 s"]}
  ${"the order of answers"} | ${["late", '"a[0]" x', "early", '"a[1]" x']}         | ${["late", '"a[0..1]" x (×2)', "early"]}
`("$what fold into what counts them", ({ messages, folded }) => {
  const given = messages.map((message: string) => said(message));
  expect(mergeRepeatedDiagnostics(given).map(({ message }) => message)).toEqual(folded);
});

test("errors, other places and other codes stay apart", () => {
  const apart = [
    said("x", { severity: "error" }),
    said("x", { severity: "error" }),
    said("x"),
    said("x", { span: { from: 4, to: 9 } }),
    said("x", { code: "cli/unknown-tensor" }),
    said("x", { upstream: "ValueError" }),
    said("x", { severity: "info" }),
  ];
  expect(mergeRepeatedDiagnostics(apart)).toBe(apart);
});
