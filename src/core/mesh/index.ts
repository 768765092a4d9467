// Meshes of devices.

export {
  type AxisName,
  coordinatesOf,
  createMesh,
  type DeviceId,
  type DeviceMesh,
  deviceCount,
  type Link,
  type MeshAxis,
  meshLimit,
  sameMesh,
} from "./mesh.ts";
export { /** @internal */ parseMesh, printMesh } from "./mesh-text.ts";

// Several arrangements of the same devices.

export { commonRefinement, partsOfMatrix } from "./arrangement.ts";

// Layouts: how a tensor lies on a mesh.

export { checkLayout } from "./check-layout.ts";
export {
  axisNames,
  axisPartsOf,
  blockCount,
  createLayoutKeys,
  type DimLayout,
  digitOf,
  type Layout,
  type Part,
  type Partial,
  partSize,
  partStride,
  partsCoexist,
  type ReduceKind,
  refineLayout,
  replicationOf,
  samePart,
  wholeAxis,
  wholeLayout,
} from "./layout.ts";

// The text of a layout, and its canonical form.

export { parseLayout } from "./layout-text.ts";
export {
  canonicalLayout,
  layoutKey,
  mergeParts,
  printLayout,
  printPart,
  sameLayout,
} from "./print-layout.ts";

// The blocks that devices hold under a layout.

export {
  deviceIndicesIn,
  heldAlong,
  heldByDim,
  heldOf,
  localElements,
  localShape,
  sameBlocks,
} from "./same-blocks.ts";
export { blockRanges, boxesByIndex, type DeviceBoxes, type Slice, slicesOf } from "./slices.ts";
