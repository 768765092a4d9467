export { commonRefinement, partsOfMatrix } from "./arrangement.ts";
export { canonicalLayout } from "./canonical.ts";
export { checkLayout } from "./check-layout.ts";
export { coordinatesOf, createMesh, deviceCount, meshLimit } from "./create-mesh.ts";
export { type Held, heldAlong, heldByDim, heldOf, localElements, localShape } from "./held.ts";
export type { DimLayout, Layout, Part, Partial, ReduceKind } from "./layout.ts";
export { createLayoutKeys } from "./layout-keys.ts";
export { parseLayout } from "./layout-text.ts";
export {
  type AxisName,
  type DeviceId,
  type DeviceMesh,
  type Link,
  type MeshAxis,
  sameMesh,
} from "./mesh.ts";
export { /** @internal */ parseMesh, printMesh } from "./mesh-text.ts";
export {
  axisNames,
  digitOf,
  dimCount,
  partSize,
  partStride,
  partsCoexist,
  samePart,
  wholeAxis,
} from "./part.ts";
export { layoutKey, printLayout, printPart, sameLayout } from "./print-layout.ts";
export { axisPartsOf, refineLayout, replicationOf } from "./refine.ts";
export { placesIn, sameBlocks } from "./same-blocks.ts";
export { blockRanges, boxesByIndex, type Slice, slicesOf } from "./slices.ts";
