import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";
import { applyGesture } from "./gesture.ts";

const head = `mesh = Mesh(dp=2)
x = Tensor((8, 4))
w = Parameter((4, 4))
h = matmul(x, w)
`;

const pin = (source: string, name: string, isPinned: boolean) =>
  applyGesture(source, { kind: "pin", name, isPinned });

function pinned(source: string, name: string, isPinned: boolean): string {
  const outcome = pin(source, name, isPinned);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.source;
}

describe("a pin", () => {
  test("is a line behind those of the plan, of a variable or a name", () => {
    expect(pinned(head, "h", true)).toBe(`${head}pin(h)\n`);
    const planned = `${head}strategy(h, m="dp")\ny = relu(h)\n`;
    expect(pinned(planned, "y", true)).toBe(`${head}strategy(h, m="dp")\npin("y")\ny = relu(h)\n`);
    expect(compile(pinned(head, "w", true)).pinned).toEqual(["w"]);
  });

  test("names an axis of the mesh, or all of them with the mesh", () => {
    const wide = head.replace("dp=2", "dp=2, tp=4");
    const axis = pinned(wide, "tp", true);
    expect(axis).toBe(`${wide}pin("tp")\n`);
    expect(compile(axis)).toMatchObject({ pinned: [], pinnedAxes: ["tp"] });
    expect(pinned(axis, "tp", false)).toBe(wide);
    expect(compile(pinned(wide, "mesh", true)).pinnedAxes).toEqual(["dp", "tp"]);
    expect(compile(wide).pinnedAxes).toBeUndefined();
  });

  test("is taken out again, with nothing else", () => {
    for (const name of ["h", "w"]) {
      expect(pinned(pinned(head, name, true), name, false)).toBe(head);
    }
    expect(pinned(`${head}pin(h, w)\n`, "h", false)).toBe(`${head}pin(w)\n`);
    expect(pinned(`${head}pin(h, w)\n`, "w", false)).toBe(`${head}pin(h)\n`);
    expect(pinned(`${head}pin( h ) # mine\n`, "h", false)).toBe(`${head}# mine\n`);
  });

  test.each([
    [`${head}pin(h)\n`, "h", true, /already/],
    [head, "h", false, /nothing pins/],
    [`${head}pin("*")\n`, "h", false, /together with others/],
  ])("of %j that is there, or is not, is refused with the reason", (source, name, on, reason) => {
    expect(pin(source, name, on)).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  test("is known of what is compiled", () => {
    const { pinned: ids, graph } = compile(`${head}pin(h)\n`);
    expect(ids).toEqual([
      graph.operators[0]?.id,
      graph.tensors.find(({ name }) => name === "h")?.id,
    ]);
    expect(compile(head).pinned).toBeUndefined();
    expect(readDocument(`${head}pin(h)\n`).diagnostics).toEqual([]);
  });
});
