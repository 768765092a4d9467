import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { answerTo } from "../commands.ts";

const runs = process.env.SOAK === undefined ? 1 : 50;

const programOf = (name: string) => examples.find((each) => each.name === name)?.program ?? "";

test("the plan of MindSpore's two products is the one of the contract", () => {
  const answer = answerTo("plan", { program: programOf("mindspore-net") });
  expect(answer).toMatchObject({
    ok: true,
    mesh: [["d0", 4]],
    operators: [
      {
        name: "y",
        op: "MatMul",
        annotation: "m k+, k+ n -> m n",
        strategy: { m: ["d0"] },
        status: "set",
      },
      { name: "z", strategy: { n: ["d0"] }, status: "set" },
    ],
    steps: [
      {
        collective: "operator",
        operator: "y",
        phase: "forward",
        inputs: ["x", "w"],
        outputs: ["y"],
      },
      {
        collective: "all-gather",
        tensor: "y",
        axes: ["d0"],
        groups: [[0, 1, 2, 3]],
        layout: "_,_",
        elements: 36,
        bytes: 144,
      },
      {
        collective: "operator",
        operator: "z",
        phase: "forward",
        inputs: ["y", "v"],
        outputs: ["z"],
      },
    ],
  });
  const [x] = Object(answer.tensors);
  expect(x).toMatchObject({ name: "x", shape: [8, 4], layout: "d0,_", status: "inferred" });
  expect(x.slices[0]).toEqual({
    device: 0,
    coordinates: { d0: 0 },
    ranges: [
      [0, 2],
      [0, 4],
    ],
    partial: false,
  });
});

test("the first example gathers its hidden layer, and the hinted gesture's text does not", () => {
  const program = programOf("two-matmuls");
  const collectives = (text: string) =>
    Object(answerTo("plan", { program: text }).steps)
      .filter((step: { collective: string }) => step.collective !== "operator")
      .map((step: { collective: string; tensor: string }) => [step.collective, step.tensor]);
  expect(collectives(program)).toEqual([["all-gather", "h"]]);
  const hinted = program.replace('strategy(y, b="dp")', 'strategy(y, b="dp", k="mp")');
  expect(collectives(hinted)).toEqual([["all-reduce", "y"]]);
});

/** Most tensors checked per text; each check reads the whole text again. */
const mostAsked = 8;

test.each(examples)(
  "the example $name has no errors but those on purpose, and its slices are those of its plan",
  ({ program: text, plan: planText, fault }) => {
    const isRight = fault === undefined;
    const program = { program: text, ...(planText !== undefined && { planText }) };
    expect(answerTo("check", program)).toMatchObject({ ok: isRight });
    const { ok, tensors } = answerTo("plan", program);
    expect(ok).toBe(isRight);
    const all: readonly { name: string; slices: unknown }[] = Object(tensors);
    expect(all.length).toBeGreaterThan(1);
    const stride = Math.ceil(all.length / mostAsked);
    for (const { name, slices } of all.filter((_, at) => at % stride === 0 && isRight)) {
      expect(answerTo("slices", { ...program, tensor: name })).toMatchObject({ ok: true, slices });
    }
  },
);

test("a tensor that the program does not have is named, with those that it has", () => {
  const program = programOf("mindspore-net");
  expect(answerTo("slices", { program, tensor: "q" })).toMatchObject({
    ok: false,
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ message: expect.stringMatching(/"q".*"x"/) }),
    ]),
  });
});

test("a model that there is not is refused by its code, with those that there are", () => {
  const { ok, code, diagnostics } = answerTo("plan", { program: "", model: "plane" });
  expect([ok, code]).toEqual([false, "cost/unknown-model"]);
  expect(diagnostics[0]?.message).toContain("there are plain, links, book");
});

test.each([
  ["plan", {}],
  ["plan", { program: 7 }],
  ["check", {}],
  ["slices", { program: "", tensor: 7 }],
])("%s %j is refused as a request", (command, args) => {
  expect(answerTo(command, args)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "cli/bad-request" }],
  });
});

test("no text makes the program fail: mutated examples are answered with values", () => {
  const mutated = fc
    .tuple(
      fc.constantFrom(...examples.map(({ program }) => program)),
      fc.nat(1_000),
      fc.nat(40),
      fc.constantFrom(
        "",
        "(",
        ")",
        ",",
        '"',
        "\n",
        " = ",
        "0",
        "-1",
        "x",
        "[]",
        "lambda: ",
        "\u{1f389}",
      ),
    )
    .map(([text, at, drop, add]) => text.slice(0, at) + add + text.slice(at + drop));
  const holds = fc.property(mutated, (program) => {
    const { diagnostics } = answerTo("plan", { program });
    expect(diagnostics.filter(({ code }) => code === "cli/internal-error")).toEqual([]);
  });
  fc.assert(holds, { seed: 1, numRuns: 80 * runs });
});
