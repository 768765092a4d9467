import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { answerTo } from "../commands.ts";
import { plainAnswer } from "../plain-answer.ts";

const { program = "", plan: planText = "" } =
  examples.find(({ name }) => name === "loom-convolution") ?? {};

function filesOf(answer: unknown): readonly { readonly name: string; readonly text: string }[] {
  const { files } = JSON.parse(JSON.stringify(answer));
  return files;
}

test("plan of a LoomGraph has the halo as an exchange, and slices are the windows", () => {
  const answer = JSON.parse(JSON.stringify(answerTo("plan", { program, planText })));
  expect(answer.ok).toBe(true);
  expect(answer.mesh).toEqual([
    ["rows", 2],
    ["cols", 2],
  ]);
  const kinds = answer.steps.map(({ collective }: { collective: string }) => collective);
  expect(kinds).toEqual(["exchange", "operator"]);
  const { slices } = answerTo("slices", { program, planText, tensor: "image" });
  expect(
    JSON.parse(JSON.stringify(slices)).map(({ ranges }: { ranges: unknown }) => ranges),
  ).toEqual([
    [
      [0, 17],
      [0, 17],
    ],
    [
      [0, 17],
      [16, 33],
    ],
    [
      [16, 33],
      [0, 17],
    ],
    [
      [16, 33],
      [16, 33],
    ],
  ]);
});

test("ranges of a tensor that begins elsewhere are its own", () => {
  const graph = {
    id: "d3f46c69-6f2f-4dce-adf0-6f6fec9a34b8",
    nodes: [
      {
        id: "21a4f7f7-15f4-427b-8616-057ff251bf64",
        type: "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
        label: "t1",
        body: { dtype: "int32", range: { start: [200, 50], end: [210, 55] } },
      },
    ],
  };
  const request = { program: JSON.stringify(graph), planText: "mesh = Mesh(mp=2)\n" };
  const whole = answerTo("slices", { ...request, tensor: "t1" });
  expect(whole).toMatchObject({ ok: true, slices: [{ device: 0 }, { device: 1 }] });
  const cut = { ...request, planText: `${request.planText}place("t1", layout("mp", "None"))\n` };
  expect(answerTo("slices", { ...cut, tensor: "t1" })).toMatchObject({
    slices: [
      {
        ranges: [
          [200, 205],
          [50, 55],
        ],
      },
      {
        ranges: [
          [205, 210],
          [50, 55],
        ],
      },
    ],
  });
});

test("what is wrong with the plan has its line in the plan", () => {
  const request = { program, planText: 'mesh = Mesh(mp=2)\nstrategy("conv", q="mp")\n' };
  const { ok, diagnostics } = plainAnswer(answerTo("check", request), request);
  expect(ok).toBe(false);
  expect(diagnostics).toMatchObject([{ text: "plan", line: 2, column: 18 }]);
});

test("a LoomGraph is exported with the shards of its plan, or with the plan beside it", () => {
  const [sharded] = filesOf(answerTo("export", { program, planText, to: "loom" }));
  expect(sharded?.name).toBe("graph.json");
  expect(answerTo("check", { program: sharded?.text, dialect: "app" })).toMatchObject({
    ok: true,
    issues: [],
  });
  const whole = answerTo("export", { program, planText, to: "loom", dialect: "op" });
  expect(filesOf(whole)).toEqual([
    { name: "graph.json", text: program },
    { name: "plan.txt", text: planText },
  ]);
});

test.each([
  ["a plan that is no text", "plan", { planText: 7 }, "planText"],
  ["a dialect that is none", "export", { to: "loom", dialect: "target" }, "dialect"],
  ["a form that is none", "export", { to: "loom", form: "ajar" }, "form"],
])("%s is a bad request", (_, command, args, word) => {
  const answer = answerTo(command, { program, planText, ...args });
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ code: "cli/bad-request" }] });
  expect(answer.diagnostics[0]?.message).toContain(word);
});

test("a LoomGraph may bring its plan in its own text, as editors keep it", () => {
  const joined = { program: `${program}\n# plan\n${planText}` };
  const apart = { program, planText };
  expect(answerTo("plan", joined)).toEqual(answerTo("plan", apart));
  expect(answerTo("check", joined)).toEqual(answerTo("check", apart));
  const wrong = { program: `${program}\n# plan\nmesh = Mesh(mp=2)\nstrategy("q", h="mp")\n` };
  const { diagnostics } = plainAnswer(answerTo("check", wrong), wrong);
  expect(diagnostics).toMatchObject([{ text: "plan", line: 2, column: 1 }]);
});
