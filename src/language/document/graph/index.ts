// Graph built from a trace, and its mesh.

export { arrange } from "./arrangement.ts";
export { type BodyFinding, bodyDiagnostics } from "./body-diagnostics.ts";
export type { BuiltGraph } from "./build-graph.ts";
export { meshFor, meshOfSpec, withRepeatedAxis } from "./document-mesh.ts";
export type { WantedMesh } from "./mesh-settings.ts";
