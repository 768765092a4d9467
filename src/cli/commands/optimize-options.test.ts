import { expect, test } from "vitest";
import { readByteSize } from "#core/arithmetic";
import { optimizeAnswer } from "./optimize.ts";

const program = `mesh = Mesh(dp=2, hardware="8xH100")
x = Tensor((64, 32))
w = Parameter((32, 16))
h = matmul(x, w)
y = relu(h)
`;
const link = { latency: 1e-6, bandwidth: 1e11 };
const chip = { flops: 1e15, memoryBandwidth: 1e12, links: { dp: link } };

test.each`
  args                                                                       | code                       | message
  ${{ memoryLimit: "0.2KB" }}                                                | ${"infeasible-memory"}     | ${"at most 200 bytes"}
  ${{ memoryLimit: "12 parsecs" }}                                           | ${"cli/bad-request"}       | ${'"80GB" (B, kB, KB, MB, GB, TB, KiB, MiB, GiB, TiB), not "12 parsecs"'}
  ${{ memoryLimit: "GB" }}                                                   | ${"cli/bad-request"}       | ${'"memoryLimit"'}
  ${{ memoryLimit: -1 }}                                                     | ${"cli/bad-request"}       | ${'"memoryLimit"'}
  ${{ memoryLimit: 0 }}                                                      | ${"cli/bad-request"}       | ${"above 0"}
  ${{ memoryLimit: null }}                                                   | ${"cli/bad-request"}       | ${'"memoryLimit"'}
  ${{ memoryLimit: [80] }}                                                   | ${"cli/bad-request"}       | ${'"memoryLimit"'}
  ${{ memorylimit: 80e9 }}                                                   | ${"cli/bad-request"}       | ${'no field "memorylimit": there are program'}
  ${{ forbid: ["nope"] }}                                                    | ${"cli/bad-request"}       | ${'slice, all-gather, reduce-scatter, all-reduce, all-to-all, collective-permute, exchange; "nope" is none'}
  ${{ forbid: "all-gather" }}                                                | ${"cli/bad-request"}       | ${'"forbid" lists collectives'}
  ${{ forbid: ["all-gather", 3], model: "plain" }}                           | ${"cli/bad-request"}       | ${"3 is none"}
  ${{ partials: "maybe" }}                                                   | ${"cli/bad-request"}       | ${'"partials" is "reduce" or "flow"'}
  ${{ partials: "flow", program: `${program}train(y)
` }} | ${"cli/bad-request"} | ${"this one trains"}
  ${{ redundant: "no" }}                                                     | ${"cli/bad-request"}       | ${'"redundant" is true or false'}
  ${{ uneven: 1 }}                                                           | ${"cli/bad-request"}       | ${'"uneven" is true or false'}
  ${{ free: ["strategies"] }}                                                | ${"cli/bad-request"}       | ${'"placements"'}
  ${{ free: "placements" }}                                                  | ${"cli/bad-request"}       | ${'"free" lists'}
  ${{ model: "plane" }}                                                      | ${"cost/unknown-model"}    | ${"there are plain, links"}
  ${{ model: null }}                                                         | ${"cost/unknown-model"}    | ${"there are plain, links"}
  ${{ outputs: { h: "_,_" } }}                                               | ${"cli/bad-request"}       | ${'"h" is no result; the results are y'}
  ${{ outputs: { z: "_,_" } }}                                               | ${"cli/bad-request"}       | ${'"z" is not there; the results are y'}
  ${{ pins: { h: { q: ["dp"] } } }}                                          | ${"pin-conflict"}          | ${'"h" has no identifier "q" to pin, but m, k, n'}
  ${{ hardware: "9xZ9" }}                                                    | ${"cost/unknown-hardware"} | ${"9xZ9"}
  ${{ hardware: 5 }}                                                         | ${"cli/bad-request"}       | ${"the name of a machine"}
  ${{ hardware: [] }}                                                        | ${"cli/bad-request"}       | ${"the name of a machine"}
  ${{ hardware: { flops: 1e15 } }}                                           | ${"cli/bad-request"}       | ${'lacks the link of the mesh axis "dp"'}
  ${{ hardware: { ...chip, memoryBandwidth: undefined } }}                   | ${"cli/bad-request"}       | ${'lacks "memory_bandwidth"'}
  ${{ hardware: { links: { dp: link } } }}                                   | ${"cli/bad-request"}       | ${'lacks "flops"'}
  ${{ hardware: { ...chip, flops: "1e15" } }}                                | ${"cli/bad-request"}       | ${'"flops" of a device is a number'}
  ${{ hardware: { ...chip, memory: -80e9 } }}                                | ${"cli/bad-request"}       | ${'"memory" of a device is a number'}
  ${{ hardware: { ...chip, memoryBytes: 80e9 } }}                            | ${"cli/bad-request"}       | ${'not "memoryBytes"'}
  ${{ hardware: { ...chip, name: 5 } }}                                      | ${"cli/bad-request"}       | ${'"name" is a text'}
  ${{ hardware: { ...chip, links: { ...chip.links, tp: link } } }}           | ${"cli/bad-request"}       | ${'the mesh has no axis "tp"'}
  ${{ hardware: { ...chip, links: [] } }}                                    | ${"cli/bad-request"}       | ${'"links" gives links by the name'}
  ${{ hardware: { ...chip, links: { dp: { ...link, speed: 1 } } } }}         | ${"cli/bad-request"}       | ${'links.dp: a link takes bandwidth, latency, fabric and reached, not "speed"'}
  ${{ hardware: { ...chip, links: { dp: { ...link, fabric: "string" } } } }} | ${"cli/bad-request"}       | ${"the fabric of a link is"}
`("$args is an error, and names what is wrong", ({ args, code, message }) => {
  const answer = optimizeAnswer({ program, ...args });
  expect(answer.ok).toBe(false);
  const [fault] = answer.diagnostics.filter(({ severity }) => severity === "error");
  expect(fault?.message).toContain(message);
  expect(fault?.code).toBe(code);
});

test.each`
  args                                                  | message
  ${{ instance: { nodes: [], edges: [], tables: [] } }} | ${'no "tables"'}
  ${{ instance: { nodes: [], memory: 5 } }}             | ${"a formula"}
  ${{ instance: { nodes: [] }, memoryLimit: "80GB" }}   | ${"in its own units"}
  ${{ instance: { nodes: [] }, memoryLimit: -1 }}       | ${"from 0 on"}
  ${{ instance: { nodes: [] }, model: "plain" }}        | ${'"optimize" of an instance has no field "model"'}
`("$args is an error of an abstract instance", ({ args, message }) => {
  const answer = optimizeAnswer(args);
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ code: "cli/bad-request" }] });
  expect(answer.diagnostics[0]?.message).toContain(message);
});

test.each`
  text              | bytes
  ${"0.2KB"}        | ${200}
  ${"80GB"}         | ${80e9}
  ${"80 GiB"}       | ${80 * 2 ** 30}
  ${"1.5e3 MB"}     | ${1.5e9}
  ${"12"}           | ${12}
  ${12}             | ${12}
  ${"80gb"}         | ${undefined}
  ${"-1GB"}         | ${undefined}
  ${"constructor"}  | ${undefined}
  ${"5constructor"} | ${undefined}
`("$text is $bytes bytes", ({ text, bytes }) => {
  expect(readByteSize(text)).toBe(bytes);
});

test("a plan among fewer strategies says by which axes they cut", () => {
  const shapes = ["(256, 512)", "(512, 768)", "(768, 1024)", "(1024, 1280)"];
  const lines = shapes.map((shape, at) => [
    `w${at} = Parameter(${shape})`,
    `x${at + 1} = matmul(x${at}, w${at})`,
  ]);
  const program = [
    ...["mesh = Mesh(a=2, b=2, c=2, d=2)", "x0 = Tensor((16, 1024, 256))"],
    ...lines.flat(),
  ].join("\n");
  const { diagnostics } = optimizeAnswer({ program });
  const fewer = diagnostics.find(({ code }) => code === "planner/fewer-strategies");
  expect(fewer?.message).toContain("only those are that cut by a, b, c, d, in this order");
});
