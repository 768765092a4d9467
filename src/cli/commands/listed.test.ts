import { expect, test } from "vitest";
import { createMesh, type Layout, parseLayout } from "#core/mesh";
import { answerTo } from "../commands.ts";
import { Listing } from "./listed.ts";
import { sliceRows } from "./slice-rows.ts";

function layoutOn(size: number, text: string): Layout {
  const mesh = createMesh([{ name: "x", size }]);
  if (!mesh.ok) throw new Error(mesh.diagnostics[0]?.message);
  const layout = parseLayout(text, mesh.value);
  if (!layout.ok) throw new Error(layout.diagnostics[0]?.message);
  return layout.value;
}

test("an answer lists slices up to its limit, and says of how many tensors it lists none", () => {
  const listing = new Listing({ slices: 10, members: 100 });
  const [small, large] = [{ layout: layoutOn(4, "x") }, { layout: layoutOn(8, "x") }];
  expect(listing.slicesOf(small, [8], undefined).slices).toHaveLength(4);
  expect(listing.slicesOf(large, [8], undefined)).toEqual({});
  expect(listing.slicesOf(small, [8], undefined).slices).toHaveLength(4);
  const [said] = listing.diagnostics();
  expect(said).toMatchObject({ code: "limits/slices-not-listed", severity: "warning" });
  expect(said?.message).toMatch(/^the slices of 1 tensor are not listed: .* at most 10 slices/);
});

test("groups of steps have a limit of their own", () => {
  const listing = new Listing({ slices: 10, members: 4 });
  expect(listing.groupsOf([[0, 1, 2]])).toEqual({ groups: [[0, 1, 2]] });
  expect(listing.groupsOf([[0, 1]])).toEqual({});
  expect(listing.diagnostics()).toMatchObject([{ code: "limits/groups-not-listed" }]);
});

test("a plan of very many devices is answered without their slices, which slices lists", () => {
  const tensors = Array.from({ length: 3 }, (_, at) => `t${at} = Tensor((65536,))\n`).join("");
  const program = `mesh = Mesh(x=65536)\n${tensors}y = add(add(t0, t1), t2)\nstrategy("y", a="x")\n`;
  const plan = answerTo("plan", { program });
  expect(plan.ok).toBe(true);
  const listed = Object(plan.tensors).map(
    ({ slices }: { slices?: unknown }) => slices !== undefined,
  );
  expect(listed).toEqual([true, false, false, false, false]);
  expect(plan.diagnostics).toContainEqual(
    expect.objectContaining({ code: "limits/slices-not-listed" }),
  );
  expect(answerTo("slices", { program, tensor: "t1" }).slices).toHaveLength(65_536);
});

test("what each device holds of windows is found by its place, not by a search", () => {
  const { mesh, ...layout } = layoutOn(64, "x");
  const devices = Object.assign([...mesh.devices], {
    indexOf: () => {
      throw new Error("all devices were looked through for one");
    },
  });
  const held = devices.map((device) => [[{ start: device, stop: device + 2 }]]);
  const rows = sliceRows({ layout: { ...layout, mesh: { ...mesh, devices } }, held }, [65]);
  expect(rows.map(({ ranges }) => ranges)).toEqual(devices.map((at) => [[at, at + 2]]));
});

test("a plan of very many pieces is written as whole operations, with its cuts beside them", () => {
  const program = `mesh = Mesh(x=16384)
t = Tensor((16384,))
y = gelu(t)
strategy("y", a="x")
`;
  const answer = answerTo("export", { program, to: "loom" });
  expect(answer.ok).toBe(true);
  const files: readonly { readonly name: string; readonly text: string }[] = Object(answer.files);
  expect(files.map(({ name }) => name)).toEqual(["graph.json", "plan.txt"]);
  expect(files[0]?.text).not.toContain("Application");
  expect(files[1]?.text).toContain("x=16384");
  const [said] = answer.diagnostics.filter(({ code }) => code === "loom/too-many-shards");
  expect(said?.message).toContain(
    "into 16384 Applications, and a graph is written with at most 10000",
  );
});

test("a walk through very many devices is not drawn, which is said", () => {
  const program = `mesh = Mesh(x=65536)
t = Tensor((65536,))
y = add(gelu(t), t)
strategy("y", a="x")
`;
  const answer = answerTo("export", { program, to: "svg" });
  const files: readonly { readonly name: string }[] = Object(answer.files);
  expect(files.map(({ name }) => name)).toEqual(["plan.svg", "plan.md"]);
  expect(answer.diagnostics).toContainEqual(
    expect.objectContaining({ code: "limits/steps-not-drawn" }),
  );
});
