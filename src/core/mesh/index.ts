export type { DimLayout, Layout, Part, Partial, ReduceKind } from "./layout.ts";
export type { AxisName, DeviceId, DeviceMesh, Link, MeshAxis } from "./mesh.ts";
