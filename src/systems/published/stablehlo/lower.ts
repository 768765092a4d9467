import { constantIn } from "./constants.ts";
import { contraction, convolution } from "./contraction.ts";
import { elementwise } from "./elementwise.ts";
import { dynamicSlice, dynamicUpdate, lookup, scattered } from "./indexing.ts";
import { countedLoop } from "./loops.ts";
import type { Known, Lowering } from "./lowering.ts";
import { manualComputation } from "./manual.ts";
import { ModuleFault, type ModuleFunction, type Operation } from "./mlir.ts";
import { opaque } from "./opaque.ts";
import { reduction } from "./reductions.ts";
import { shapeOperation } from "./shapes.ts";
import { constraint, tiledConstraint } from "./shardings.ts";
import { ownDtype, torchDtype, tupleOf } from "./types.ts";
import { tensorValue, type Value, ValueFault, wholeText } from "./values.ts";
import { windows } from "./windows.ts";
import { bind, freshName, inBlock, type Writer } from "./writer.ts";

/** Most operations of one program, inlined functions included. */
const mostSteps = 200_000;

const deepestCalls = 200;

/**
 * Writes the operations of a block, and returns the values that the block returns.
 *
 * @throws ModuleFault when the module is invalid
 */
export function lowerBlock(
  lowering: Lowering,
  operations: readonly Operation[],
  known: Known,
): readonly Value[] {
  for (const operation of operations) {
    const operands = operation.operands.flatMap((name) => {
      const value = known.get(name);
      return value === undefined ? [] : [value];
    });
    if (/(?:^|\.)return$/u.test(operation.name)) return operands;
    lowering.steps += 1;
    lowering.tell(lowering.steps);
    if (lowering.steps > mostSteps) throw new ModuleFault("it has more than 200,000 operations");
    const made = lowerOne(lowering, operation, operands, known);
    for (const [at, name] of operation.results.entries()) {
      const value = made[at];
      if (value !== undefined) known.set(name, value);
    }
  }
  return [];
}

function lowerOne(
  lowering: Lowering,
  operation: Operation,
  operands: readonly Value[],
  known: Known,
): readonly Value[] {
  const { writer } = lowering;
  const before = writer.lines.length;
  try {
    const made = attempt(lowering, operation, operands, known);
    if (made !== undefined) return made;
  } catch (fault) {
    if (!(fault instanceof ValueFault) || fault.list !== undefined) throw fault;
  }
  writer.lines.length = before;
  const list = operands.find((each) => each.kind === "stack");
  if (list !== undefined) throw new ValueFault("a list is read inside its loop", list.list);
  return opaque(writer, operation, operands);
}

function attempt(
  lowering: Lowering,
  operation: Operation,
  operands: readonly Value[],
  known: Known,
): readonly Value[] | undefined {
  const { writer } = lowering;
  const one = (value: Value | undefined) => (value === undefined ? undefined : [value]);
  switch (operation.name) {
    case "stablehlo.constant":
      return one(constant(writer, operation));
    case "call":
    case "func.call":
      return called(lowering, operation, operands);
    case "stablehlo.while":
      return countedLoop(lowering, operation, known, lowerBlock);
    case "stablehlo.dot_general":
    case "stablehlo.dot":
      return one(contraction(writer, operation, operands));
    case "stablehlo.convolution":
      return one(convolution(writer, operation, operands));
    case "stablehlo.reduce":
      return reduction(writer, operation, operands);
    case "stablehlo.reduce_window":
      return one(windows(writer, operation, operands));
    case "stablehlo.gather":
      return one(lookup(writer, operation, operands));
    case "stablehlo.scatter":
      return one(scattered(writer, operation, operands));
    case "stablehlo.dynamic_slice":
      return one(dynamicSlice(writer, operation, operands));
    case "stablehlo.dynamic_update_slice":
      return one(dynamicUpdate(writer, operation, operands));
    case "stablehlo.optimization_barrier":
      return operands;
    case "sdy.manual_computation":
      return manualComputation(writer, operation, operands);
    case "stablehlo.custom_call":
      return one(tiledConstraint(writer, operation, operands));
    case "sdy.sharding_constraint":
      return one(constraint(writer, operation, operands));
    case "chlo.top_k":
      return largest(writer, operation, operands);
    default:
      return one(
        elementwise(writer, operation, operands) ?? shapeOperation(writer, operation, operands),
      );
  }
}

function constant(writer: Writer, operation: Operation): Value | undefined {
  const [type] = operation.resultTypes;
  if (type === undefined) return undefined;
  const read = constantIn(operation.text, type);
  if (read.kind === "number") return { kind: "number", value: read.value, type };
  const dtype = torchDtype(type.dtype);
  if (read.kind === "list" && dtype !== undefined) {
    return bind(writer, operation, `torch.tensor(${read.text}, dtype=${dtype})`, type);
  }
  const text = `Tensor(${tupleOf(type.shape)}, "${ownDtype(type.dtype)}")`;
  const made = bind(writer, operation, text, type);
  writer.lines.push(`${writer.lines.pop() ?? ""}  # a constant of the file`);
  return made;
}

function largest(writer: Writer, operation: Operation, [x]: readonly Value[]) {
  const count = /k = (\d+)/u.exec(operation.text)?.[1];
  const [values, places] = operation.resultTypes;
  if (x === undefined || count === undefined || values === undefined || places === undefined)
    return undefined;
  const names = ["values", "places"].map((word) => freshName(writer, word));
  writer.lines.push(`${names.join(", ")} = torch.topk(${wholeText(x)}, ${count}, -1)`);
  const word = torchDtype(places.dtype);
  const [value = "", place = ""] = names;
  return [
    tensorValue(value, values),
    bind(writer, operation, word === undefined ? place : `${place}.to(${word})`, places),
  ];
}

/** Functions with at most this many operations are inlined. */
const fewOperations = 6;

/** Writes a call; functions that are short or called once are inlined. */
function called(
  lowering: Lowering,
  operation: Operation,
  operands: readonly Value[],
): readonly Value[] | undefined {
  const name = /@("[^"]*"|[\w.$-]+)/u.exec(operation.text)?.[1]?.replaceAll('"', "") ?? "";
  const callee = lowering.module.functions.get(name);
  if (callee === undefined || callee.args.length !== operands.length) return undefined;
  if (lowering.depth >= deepestCalls) throw new ModuleFault("calls lie too deep");
  lowering.depth += 1;
  try {
    const isPlain = operands.every(({ kind }) => kind === "tensor");
    const isOften = (lowering.calls.get(name) ?? 0) > 1;
    const isLong = callee.operations.length > fewOperations;
    if (isPlain && isOften && isLong) return asFunction(lowering, callee, operation, operands);
    const inner: Known = new Map(
      callee.args.map((each, at) => [each.name, operandAt(operands, at)]),
    );
    return lowerBlock(lowering, callee.operations, inner);
  } finally {
    lowering.depth -= 1;
  }
}

function operandAt(operands: readonly Value[], at: number): Value {
  const value = operands[at];
  if (value === undefined) throw new ModuleFault("a call with too few operands");
  return value;
}

function asFunction(
  lowering: Lowering,
  callee: ModuleFunction,
  operation: Operation,
  operands: readonly Value[],
): readonly Value[] {
  const { writer } = lowering;
  const known = lowering.written.get(callee.name) ?? writeFunction(lowering, callee);
  const names = operation.resultTypes.map(() => freshName(writer, callee.name));
  writer.lines.push(`${names.join(", ")} = ${known}(${operands.map(wholeText).join(", ")})`);
  return operation.resultTypes.map((type, at) =>
    tensorValue(names[at] ?? "", type ?? { shape: [], dtype: "token" }),
  );
}

function writeFunction(lowering: Lowering, callee: ModuleFunction): string {
  const { writer } = lowering;
  const called = freshName(writer, callee.name);
  const inner: Known = new Map();
  const parameters = callee.args.map(({ name, type, where }) => {
    const own = freshName(writer, where ?? "x");
    inner.set(name, tensorValue(own, type ?? { shape: [], dtype: "token" }));
    return own;
  });
  const lines = inBlock(writer, () => {
    const results = lowerBlock(lowering, callee.operations, inner).map(wholeText);
    writer.lines.push(`return ${results.join(", ")}`);
  });
  writer.functions.push(`def ${called}(${parameters.join(", ")}):`, ...lines, "");
  lowering.written.set(callee.name, called);
  return called;
}
