import { expect, test } from "vitest";
import { optimizeAnswer } from "./optimize.ts";

const program = `mesh = Mesh(tp=8, hardware="8xH100")
x = Tensor((64, 4096), "bf16")
w = Parameter((4096, 16384), "bf16")
y = matmul(x, w)
place(w, layout("None", "None"))
train(y)
`;

test("what the text places stays, unless it is free to move", () => {
  const stays = optimizeAnswer({ program });
  expect(stays).toMatchObject({ ok: true, layouts: { w: "_,_" } });
  expect(stays.program).toContain('place(w, layout("None", "None"))');
  const moves = optimizeAnswer({ program, free: ["placements"] });
  expect(moves.ok).toBe(true);
  expect(moves.program).not.toContain('place(w, layout("None", "None"))');
  expect(Number(moves.objective)).toBeLessThan(Number(stays.objective));
});
