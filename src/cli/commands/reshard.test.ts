import { expect, test } from "vitest";
import type { Arguments } from "./answer.ts";
import { reshardAnswer } from "./reshard.ts";

const request: Arguments = {
  mesh: [
    ["x", 4],
    ["y", 2],
  ],
  shape: [16, 16, 16],
  dtype: "bf16",
  from: "y,_,x",
  to: "_,x*y,_",
};

test("reshard answers steps, their price, the lower bound and the front", () => {
  const { steps, seconds, ...answer } = reshardAnswer(request);
  expect(steps).toMatchObject([
    {
      collective: "all-to-all",
      axes: ["x", "y"],
      groups: [[0, 1, 2, 3, 4, 5, 6, 7]],
      layout: "_,x*y,_",
      elements: 448,
      bytes: 896,
    },
  ]);
  expect(answer).toEqual({
    ok: true,
    elements: 448,
    bytes: 896,
    lowerBound: 448,
    front: [{ steps: 1, elements: 448 }],
    exact: true,
    gap: 0,
    diagnostics: [],
  });
});

test.each`
  policy         | elements
  ${"shardy"}    | ${640}
  ${"dtensor"}   | ${1280}
  ${"mindspore"} | ${2048}
  ${"nnscaler"}  | ${3584}
`("reshard under the policy $policy receives $elements elements", ({ policy, elements }) => {
  expect(reshardAnswer({ ...request, policy })).toMatchObject({
    ok: true,
    elements,
    lowerBound: 448,
  });
});

test("links decide between fewer steps and fewer elements", () => {
  const narrow = { latency: 1e-6, bandwidth: 1e6 };
  const slow = { latency: 1, bandwidth: 1e12 };
  const pair = { ...request, from: "_,x,_", to: "x,y,_" };
  const counts = [narrow, slow].map((link) => {
    const { steps } = reshardAnswer({ ...pair, links: { x: link, y: link } });
    return Array.isArray(steps) && steps.filter((step) => step.collective !== "slice").length;
  });
  expect(counts).toEqual([2, 1]);
});

test("another order of the devices is one permute, with its transfers", () => {
  const { steps } = reshardAnswer({
    mesh: [["x", 2]],
    toDevices: [1, 0],
    shape: [4],
    from: "x",
    to: "x",
  });
  expect(steps).toMatchObject([
    {
      collective: "collective-permute",
      transfers: [
        { from: 0, to: 1, range: [{ start: 0, stop: 2 }] },
        { from: 1, to: 0, range: [{ start: 2, stop: 4 }] },
      ],
    },
  ]);
});

test.each`
  fields                                                          | message
  ${{ mesh: "x=2" }}                                              | ${'"mesh" must be a list'}
  ${{ shape: [1.5] }}                                             | ${'"shape" must be a list'}
  ${{ from: 7 }}                                                  | ${'"from" must be a layout text'}
  ${{ to: "q,_,_" }}                                              | ${'"q"'}
  ${{ to: "x" }}                                                  | ${"the layout has 1 dims, the tensor 3"}
  ${{ dtype: "f31" }}                                             | ${'"f31" is no dtype'}
  ${{ exchange: 1 }}                                              | ${'"exchange" must be true or false'}
  ${{ bound: "big" }}                                             | ${'"bound" must be a number'}
  ${{ links: { x: { latency: 0, bandwidth: 0 } } }}               | ${'the link of "x"'}
  ${{ policy: "magic" }}                                          | ${'"magic" is no policy'}
  ${{ toDevices: [0, 1, 2, 3, 4, 5, 6, 8] }}                      | ${'"toDevices" must list the same devices'}
  ${{ toDevices: Array.from({ length: 20_000 }, (_, at) => at) }} | ${"at most 16384 can be given another order"}
  ${{ policy: "dtensor", from: "y*x,_,_" }}                       | ${"default order"}
`("reshard refuses $fields", ({ fields, message }) => {
  const { ok, diagnostics } = reshardAnswer({ ...request, ...fields });
  expect(ok).toBe(false);
  expect(diagnostics.map((diagnostic) => diagnostic.message).join()).toContain(message);
});

test.each`
  exchange | shape      | from       | codes
  ${false} | ${[10, 6]} | ${"x*y,_"} | ${["reshard/only-exchange"]}
  ${true}  | ${[10, 6]} | ${"x*y,_"} | ${[]}
  ${false} | ${[8, 6]}  | ${"x*y,_"} | ${[]}
`("exchange=$exchange, $from of $shape: an exchange that is off is said: $codes", (row) => {
  const mesh = [
    ["x", 2],
    ["y", 2],
  ];
  const { shape, from, exchange, codes } = row;
  const answer = reshardAnswer({ mesh, shape, from, to: "x,y", exchange });
  expect(answer.diagnostics.map(({ code }) => code)).toEqual(codes);
  const hasExchange = JSON.stringify(answer).includes('"exchange"');
  expect(hasExchange && !exchange).toBe(codes.length > 0);
});
