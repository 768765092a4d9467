import { expect, test } from "vitest";
import { decodeLink, readFile } from "#app/share";
import { answerTo } from "../commands.ts";

const program = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp")
`;

function filesOf(answer: unknown): readonly { readonly name: string; readonly text: string }[] {
  const { files } = JSON.parse(JSON.stringify(answer));
  return files;
}

test("a plan is exported as a picture, its walk as numbered ones, and its table", () => {
  const answer = answerTo("export", { program, to: "svg" });
  expect(answer.ok).toBe(true);
  const files = filesOf(answer);
  expect(files.map(({ name }) => name)).toEqual([
    "plan.svg",
    "steps/01-h-matmul-x-w1.svg",
    "steps/02-all-gather-mp-of-h.svg",
    "steps/03-y-matmul-h-w2.svg",
    "plan.md",
  ]);
  expect(answer["claims"]).toMatchObject({ collectives: { "all-gather": 1 } });
});

test("the picture carries the program, and the claims are the slices of every tensor", () => {
  const answer = answerTo("export", { program, to: "svg", theme: "dark" });
  const [picture] = filesOf(answer);
  const content = readFile(new TextEncoder().encode(picture?.text));
  const opened = content.kind === "fragment" ? decodeLink(content.fragment) : content;
  expect(opened).toMatchObject({ kind: "document", document: { text: program } });
  const slices = answerTo("slices", { program, tensor: "h" });
  expect(JSON.parse(JSON.stringify(answer["claims"])).slices.h).toEqual(slices["slices"]);
});

test.each([
  [{ program, to: "cobol" }, /"to" must be/],
  [{ program, to: "svg", theme: "sepia" }, /"theme" must be/],
  [{ to: "svg" }, /"program" must be a text/],
  [{ program: "y = relu(", to: "svg" }, /./],
])("a request that cannot be met says why: %#", (args, message) => {
  const answer = answerTo("export", args);
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics[0]?.message).toMatch(message);
});
