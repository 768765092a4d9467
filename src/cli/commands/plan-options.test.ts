import { expect, test } from "vitest";
import { answerTo } from "../commands.ts";

const program = `mesh = Mesh(dp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = matmul(x, w)
strategy(y, k="dp")
`;

/** Collectives of the answer's steps, with the layout after each. */
function collectives(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { steps } = answerTo("plan", { program, ...args });
  const rows = steps as readonly { readonly collective: string; readonly layout?: string }[];
  return rows.flatMap(({ collective, layout }) => (layout ? [`${collective} ${layout}`] : []));
}

test("a result ends as the request asks", () => {
  expect(collectives({})).toEqual(["all-reduce _,_"]);
  expect(collectives({ outputs: { y: "dp,_" } })).toEqual(["reduce-scatter dp,_"]);
});

test.each`
  args                                             | says
  ${{ outputs: { x: "_,_" } }}                     | ${"compile/no-such-result"}
  ${{ outputs: { y: "dp" } }}                      | ${"compile/output-rank"}
  ${{ outputs: { q: "_" } }}                       | ${'"outputs" names "q"'}
  ${{ outputs: { x: "_,_" } }}                     | ${'"outputs" names "x", which no operator makes'}
  ${{ outputs: { y: "dp" } }}                      | ${"has 2 dims"}
  ${{ outputs: "dp,_" }}                           | ${"must be an object"}
  ${{ hardware: "8xZ80" }}                         | ${"names no known machine"}
  ${{ hardware: { flops: -1 } }}                   | ${'"flops" of a device is a number'}
  ${{ hardware: { flops: 1, links: { dp: {} } } }} | ${'link of "dp"'}
`("$args is refused", ({ args, says }) => {
  const { ok, diagnostics } = answerTo("plan", { program, ...args });
  expect(ok).toBe(false);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`).join()).toContain(says);
});

test("hardware of a request prices the steps, by preset or by figures", () => {
  const secondsOn = (hardware: unknown) => {
    const { cost } = answerTo("plan", { program, hardware });
    return (cost as { readonly communication: number }).communication;
  };
  const links = { dp: { latency: 1, bandwidth: 1e9 } };
  expect(secondsOn({ flops: 1e12, memoryBandwidth: 1e12, links })).toBeGreaterThan(2);
  expect(secondsOn({ chip: "2xH100", links: { dp: { latency: 1 } } })).toBeGreaterThan(2);
  expect(secondsOn("2xH100")).toBeLessThan(1e-3);
});

test("hardware in the text is what it runs on, and another size is said", () => {
  const text = program.replace("Mesh(dp=2)", 'Mesh(dp=2, hardware="8xH100")');
  const { diagnostics } = answerTo("plan", { program: text });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "8×H100 has 8 devices, but the mesh has 2",
  ]);
});
