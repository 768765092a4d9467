export { type Emitted, emittedProgram } from "./emitted/emitted.ts";
export type { Fault, MapEntry, Plain } from "./layout.ts";
export { mindsporeReshard } from "./mindspore-reshard.ts";
export type { OperatorCall } from "./operators/call.ts";
export {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "./operators/model-operator.ts";
export { redistributionFault } from "./redistribution/check-tensor.ts";
export { costOf } from "./redistribution/cost.ts";
export { emittedList, offlineLists } from "./redistribution/emitted.ts";
export type { MappedTensor } from "./redistribution/flat-layout.ts";
export type { LogicalOperator } from "./redistribution/infer-operators.ts";
export { primitiveNames } from "./redistribution/primitives.ts";
export { redistribute } from "./redistribution/redistribute.ts";
export type { SearchEdge, SearchGraph, SearchOperator } from "./search/search-graph.ts";
export type { AxisCuts, Entry, TupleStrategy } from "./shard.ts";
export { mindspore } from "./system.ts";
export { primitiveFacts } from "./words/primitive-classes.ts";
