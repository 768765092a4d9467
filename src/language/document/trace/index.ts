// Recording of a program's run, with the strategies and layouts that its text writes.

export { type AxisLists, axesText } from "./axes-text.ts";
export { boundOf, shapeOf } from "./bind-traced.ts";
export { runsOf } from "./checkpoints.ts";
export { certainSizes, followsAssumed, followsGuess } from "./follows.ts";
export { dropDataMaking, dropUnreadInputs, keepOneStep } from "./one-step.ts";
export type { Recorder } from "./recorder.ts";
export { strategySide } from "./repetitions.ts";
export { freshSize, knownSize, provisional, requireDivisor, type Size } from "./size.ts";
export type {
  AssignedPiece,
  Level,
  PolicyNodeName,
  PolicyPartition,
  StrategyCall,
  TextChoice,
  Trace,
  TrainPolicy,
  WrittenPolicy,
} from "./trace.ts";
export type {
  Constant,
  FunctionBody,
  PlainOperand,
  TracedOperator,
  TracedTensor,
} from "./traced.ts";
export type {
  CalledLayout,
  LayoutSpec,
  LayoutStrategy,
  MapEntry,
  PrimitiveCall,
  ShardStrategy,
  TupleStrategy,
  WrittenAxes,
  WrittenLayout,
  WrittenPrimitive,
} from "./written-layouts.ts";
