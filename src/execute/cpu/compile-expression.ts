import type { BoundCall } from "#core/ir";
import type { Expr } from "#core/ir/body";
import { required } from "#core/records";
import type { NumberRules } from "./number-rules.ts";
import type { View } from "./view.ts";

/** The registers of a running body: one index per axis name. */
export type Registers = Int32Array;

/** A compiled expression. */
export type Compute = () => number;

/**
 * An operand on one device: the block that contains its part of the index space, and all blocks.
 */
export interface OperandViews {
  readonly main: View | undefined;
  readonly all: readonly View[];
  readonly shape: readonly number[];
}

/** An intermediate result on one device. */
export interface LocalTable {
  readonly values: Float64Array;
  /** Register, first index and stride of every axis. */
  readonly axes: readonly {
    readonly register: number;
    readonly start: number;
    readonly stride: number;
  }[];
}

/** Context that a compiled body reads. */
export interface Program {
  readonly call: BoundCall;
  readonly rules: NumberRules;
  readonly registers: Registers;
  readonly names: Map<string, number>;
  readonly operands: readonly (OperandViews | undefined)[];
  readonly tables: Map<string, LocalTable>;
}

/** The most axes and loops that one body may name. */
const registerCount = 64;

/** A program without tables. */
export function createProgram(
  call: BoundCall,
  rules: NumberRules,
  operands: Program["operands"],
): Program {
  const registers = new Int32Array(registerCount);
  return { call, rules, registers, names: new Map(), operands, tables: new Map() };
}

/** Register of an axis or loop, allocated on first use. */
export function registerOf({ names }: Program, axis: string): number {
  const known = names.get(axis);
  if (known !== undefined) return known;
  if (names.size === registerCount) throw new Error("a body with too many axes");
  names.set(axis, names.size);
  return names.size - 1;
}

/** Compiles an expression to a closure over the registers. */
export function compile(expr: Expr, program: Program): Compute {
  switch (expr.kind) {
    case "number": {
      const value = program.rules.constant(expr.value);
      return () => value;
    }
    case "index": {
      const { registers } = program;
      const register = registerOf(program, expr.axis);
      return () => registers[register] ?? Number.NaN;
    }
    case "read":
      return expr.at === undefined
        ? compileProjection(expr.operand, program)
        : compileLookup(expr.operand, expr.at, program);
    case "table":
      return compileTable(expr.name, program);
    case "apply":
      return compileApplication(expr, program);
  }
}

/** A read at the projection: one dot product of registers and strides. */
function compileProjection(operand: number, program: Program): Compute {
  const { registers, call } = program;
  const view = program.operands[operand]?.main;
  if (view === undefined) return () => Number.NaN;
  const coefficients = new Map<number, number>();
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  for (const [dim, { identifiers }] of (call.inputs[operand]?.dims ?? []).entries()) {
    let stride = view.strides[dim] ?? 0;
    for (const name of [...identifiers].reverse()) {
      const size = sizes.get(name);
      if (size === undefined) continue;
      const register = registerOf(program, name);
      coefficients.set(register, (coefficients.get(register) ?? 0) + stride);
      stride *= size;
    }
  }
  const terms = [...coefficients.keys()];
  const steps = [...coefficients.values()];
  const { values, origin } = view;
  const [r0 = 0, r1 = 0, r2 = 0] = terms;
  const [s0 = 0, s1 = 0, s2 = 0] = steps;
  if (terms.length <= 3) {
    return () =>
      values[
        origin + (registers[r0] ?? 0) * s0 + (registers[r1] ?? 0) * s1 + (registers[r2] ?? 0) * s2
      ] ?? Number.NaN;
  }
  return () => {
    let at = origin;
    for (let term = 0; term < terms.length; term += 1) {
      at += (registers[terms[term] ?? 0] ?? 0) * (steps[term] ?? 0);
    }
    return values[at] ?? Number.NaN;
  };
}

/** A read at computed indices: 0 outside of the tensor, NaN where this device holds nothing. */
function compileLookup(operand: number, at: readonly Expr[], program: Program): Compute {
  const views = program.operands[operand];
  if (views === undefined) throw new Error(`operand ${operand} is no tensor`);
  const { shape, all } = views;
  const indices = at.map((each) => compile(each, program));
  const index = new Float64Array(indices.length);
  return () => {
    for (let dim = 0; dim < indices.length; dim += 1) {
      const place = indices[dim]?.() ?? Number.NaN;
      if (!(place >= 0 && place < (shape[dim] ?? 0))) return 0;
      index[dim] = place;
    }
    for (const view of all) {
      const flat = flatIn(view, index);
      if (flat >= 0) return view.values[flat] ?? Number.NaN;
    }
    return Number.NaN;
  };
}

/** The flat index in a block, or −1 outside of it. */
function flatIn({ box, strides, origin }: View, index: Float64Array): number {
  let flat = origin;
  for (let dim = 0; dim < index.length; dim += 1) {
    const place = index[dim] ?? -1;
    const range = box[dim];
    if (range === undefined || place < range.start || place >= range.stop) return -1;
    flat += place * (strides[dim] ?? 0);
  }
  return flat;
}

function compileTable(name: string, { tables, registers }: Program): Compute {
  const table = required(tables, name, "table");
  const { values, axes } = table;
  return () => {
    let at = 0;
    for (const { register, start, stride } of axes) {
      at += ((registers[register] ?? 0) - start) * stride;
    }
    return values[at] ?? Number.NaN;
  };
}

function compileApplication(expr: Extract<Expr, { kind: "apply" }>, program: Program): Compute {
  const run = program.rules.functionOf(expr.function);
  const [first, second, third] = expr.args.map((arg) => compile(arg, program));
  if (first === undefined) throw new Error(`${expr.function} without arguments`);
  if (second === undefined) return () => run(first(), 0, 0);
  if (third === undefined) return () => run(first(), second(), 0);
  if (expr.function === "select") return () => (first() !== 0 ? second() : third());
  return () => run(first(), second(), third());
}
