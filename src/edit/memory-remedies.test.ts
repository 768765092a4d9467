import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { memoryRemedies } from "./memory-remedies.ts";

const document = readDocument(`mesh = Mesh(dp=2, mp=4)
x = Tensor((256, 256))
w = Parameter((256, 256))
y = matmul(x, w)
strategy(y, m="dp", n="mp")
`);

/** Device counts of the meshes on which a plan is searched, and the untried changes. */
function searched(limit: number, least: number, hasTime = () => true) {
  const devices: number[] = [];
  const leanest = { strategies: new Map(), rest: new Map(), ends: new Map() };
  const { untried } = memoryRemedies({
    document,
    limit,
    least,
    leanest,
    pins: [],
    isOwnModel: false,
    hasTime,
    fitsIn: (other) => {
      devices.push(other.mesh.mesh.devices.length);
      return undefined;
    },
  });
  return { devices, untried };
}

test("no plan is searched for on meshes that cannot hold it, however it is cut", () => {
  expect(searched(7, 634_880).devices).toEqual([]);
});

test("a mesh is grown while that is quick, and what is beyond is said", () => {
  const { devices, untried } = searched(1_000, 4_000);
  expect(devices).toEqual([32, 32]);
  expect(untried).toEqual(["dp=16 in the mesh, or more", "mp=32 in the mesh, or more"]);
});

test("where there is no time left nothing is searched for, and that is said", () => {
  const { devices, untried } = searched(1_000, 4_000, () => false);
  expect(devices).toEqual([]);
  expect(untried).toEqual(["dp=8 in the mesh, or more", "mp=16 in the mesh, or more"]);
});
