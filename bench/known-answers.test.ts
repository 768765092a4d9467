import { expect, test } from "vitest";
import alone from "./asked-alone.json" with { type: "json" };
import { asAlone, type GivenAnswer, type KnownProgram, silentDifference } from "./known-answers.ts";

const matmul = {
  op: "MatMul",
  strategy: [
    [2, 4],
    [4, 1],
  ],
};
const summed = { op: "AllReduce", ranks: "(0, 1, 2, 3)", from: "forward_op" };
const known = (fields: Partial<KnownProgram>): KnownProgram => ({
  name: "net",
  program: "",
  operators: [matmul],
  collectives: [summed],
  ...fields,
});
const ours = {
  op: "MatMul",
  in_strategy: [
    [2, 4],
    [4, 1],
  ],
};
const sent = { op: "AllReduce", ranks: [0, 1, 2, 3] };
const emitted = { operators: [ours], collectives: [sent] };
const shapes = {
  operators: undefined,
  collectives: undefined,
  truth: { y: [4, 8], "params:m": [40] },
};
const answered = {
  emitted: undefined,
  tensors: [{ name: "y", shape: [4, 8] }],
  modules: { m: { parameters: 40 } },
};
const warning = { severity: "warning", code: "mindspore/unknown" };

test.each`
  what                                  | fields                                                           | answer                                                                                         | difference
  ${"the same"}                         | ${{}}                                                            | ${{}}                                                                                          | ${undefined}
  ${"another strategy"} | ${{}} | ${{ emitted: { ...emitted, operators: [{ ...ours, in_strategy: [[4, 2], [2, 1]] }] } }} | ${"no operator matmul [2,4,4,1]"}
  ${"another strategy, said"}           | ${{}}                                                            | ${{ emitted: { ...emitted, operators: [] }, diagnostics: [warning] }}                          | ${undefined}
  ${"an information is no warning"}     | ${{}}                                                            | ${{ emitted: { ...emitted, operators: [] }, diagnostics: [{ ...warning, severity: "info" }] }} | ${"no operator matmul [2,4,4,1]"}
  ${"a lost collective"}                | ${{}}                                                            | ${{ emitted: { ...emitted, collectives: [] } }}                                                | ${"no collective allreduce 0 1 2 3"}
  ${"one too many"}                     | ${{}}                                                            | ${{ emitted: { ...emitted, collectives: [sent, sent] } }}                                      | ${"a collective allreduce 0 1 2 3"}
  ${"other ranks"}                      | ${{}}                                                            | ${{ emitted: { ...emitted, collectives: [{ ...sent, ranks: [0, 1] }] } }}                      | ${"no collective allreduce 0 1 2 3"}
  ${"a collective of gradients"}        | ${{ collectives: [summed, { ...summed, from: "grad_mirror" }] }} | ${{}}                                                                                          | ${undefined}
  ${"operands of one dim, as recorded"} | ${{ operators: [{ op: "Add", strategy: [8, 8] }] }}              | ${{ emitted: { ...emitted, operators: [{ op: "Add", in_strategy: [[8], [8]] }] } }}            | ${undefined}
  ${"an operator without a strategy"}   | ${{ operators: [matmul, { op: "Add", strategy: null }] }}        | ${{}}                                                                                          | ${undefined}
  ${"a refusal"}                        | ${{ refused: true }}                                             | ${{}}                                                                                          | ${"the real system refuses it"}
  ${"nothing told"}                     | ${{}}                                                            | ${{ emitted: undefined }}                                                                      | ${"no operators are told"}
  ${"the same shapes"}                  | ${shapes}                                                        | ${answered}                                                                                    | ${undefined}
  ${"another shape"}                    | ${shapes}                                                        | ${{ ...answered, tensors: [{ name: "y", shape: [4, 4] }] }}                                    | ${"y is [4,4], not [4,8]"}
  ${"a shape that is not known"}        | ${shapes}                                                        | ${{ ...answered, tensors: [{ name: "y", shape: null }] }}                                      | ${undefined}
  ${"another number of parameters"}     | ${shapes}                                                        | ${{ ...answered, modules: { m: { parameters: 32 } } }}                                         | ${"m is 32, not [40]"}
`("$what: $difference", ({ fields, answer, difference }) => {
  const given: GivenAnswer = { diagnostics: [], emitted, ...answer };
  const found = silentDifference(known(fields), given);
  expect(found?.replace("params:", "")).toBe(difference);
});

test("what the system says of a program alone stands for its record, and for no other program", () => {
  const said = { name: "net", why: "an earlier net left its strategy", operators: [matmul] };
  const recorded = known({ refused: "RuntimeError", collectives: [] });
  const given: GivenAnswer = { diagnostics: [], emitted: { ...emitted, collectives: [] } };
  expect(silentDifference(recorded, given)).toBe("the real system refuses it");
  expect(silentDifference(asAlone(recorded, [said]), given)).toBeUndefined();
  expect(asAlone(recorded, [{ ...said, name: "other" }])).toBe(recorded);
});

test("every program that was asked alone says why, once", () => {
  expect(alone.filter(({ why, operators }) => why === "" || operators.length === 0)).toEqual([]);
  expect(new Set(alone.map(({ name }) => name)).size).toBe(alone.length);
});
