export { comparePolicies } from "./compare-policies.ts";
export { compile, compileDocument } from "./compile.ts";
export type {
  Compiled,
  CompileOptions,
  Gesture,
  GestureOutcome,
  MeshView,
  PolicyOutcome,
  TensorView,
} from "./compiled.ts";
export { applyGesture } from "./gesture.ts";
