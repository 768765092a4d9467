import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";

import { wrongNumbers } from "../wrong-numbers.ts";
import {
  type Inferred,
  type OperatorCall,
  type OperatorOutput,
  type OperatorRule,
  refused,
  type TupleCall,
  valueAt,
  valuesFrom,
} from "./call.ts";
import { matmulLayouts } from "./matmul-layouts.ts";
import { matmulRoles, type Roles } from "./matmul-roles.ts";

/** MatMul, BatchMatMul and MatMulExt (mindspore.md §5.1). */
export const matmulRule: OperatorRule = {
  tuples: matmulTuples,
  layouts: matmulLayouts,
  batchDims,
  takesOutStrategy: true,
  // MatMulExt has no rule for vectors, with or without a strategy.
  defaultStrategies: (call) =>
    ofVectors(call) ? call.shapes.map((shape) => shape.map(() => 1)) : undefined,
};

function ofVectors({ op, shapes }: OperatorCall): boolean {
  return op === "MatMulExt" && shapes.some(({ length }) => length < 2);
}

function matmulTuples(call: TupleCall): Checked<Inferred> {
  if (ofVectors(call)) return refused("MatMulExt takes no vectors where it is split");
  const roles = matmulRoles(call);
  if (!roles.ok) return roles;
  const gathered = gatheredForm(call, roles.value);
  if (gathered !== undefined) return passed(gathered);
  const cuts = cutsOf(call, roles.value);
  if (!cuts.ok) return cuts;
  const inferred = ordinaryForm(call, roles.value, cuts.value);
  return call.outStrategy === undefined
    ? passed(inferred)
    : withOutStrategy(inferred, cuts.value, call.outStrategy);
}

/** Pieces per index of the product: batch dims, rows, contraction, columns. */
interface Cuts {
  readonly batch: readonly number[];
  readonly rows: number;
  readonly contracted: number;
  readonly columns: number;
}

function cutsOf({ op, strategies }: TupleCall, roles: Roles): Checked<Cuts> {
  const [a = [], b = []] = strategies;
  const at = (list: readonly number[], dim: number) => list[dim] ?? 1;
  const [contracted, other] = [at(a, roles.a.contracted), at(b, roles.b.contracted)];
  if (contracted !== other) {
    return refused(`${op} contracts dims that are cut into ${contracted} and ${other} pieces`);
  }
  const batch: number[] = [];
  for (const pair of roles.batch) {
    const [left, right] = [at(a, pair.a ?? -1), at(b, pair.b ?? -1)];
    const isBroadcast = pair.sizes.includes(1);
    if (left !== right && !isBroadcast) {
      return refused(`batch dims of ${op} are cut into ${left} and ${right} pieces`);
    }
    batch.push(left === 1 ? right : left);
  }
  return passed({ batch, rows: at(a, roles.a.free), contracted, columns: at(b, roles.b.free) });
}

function ordinaryForm(call: TupleCall, roles: Roles, cuts: Cuts): Inferred {
  const deviceMatrix = [...cuts.batch, cuts.rows, cuts.contracted, cuts.columns];
  const count = deviceMatrix.length;
  const [rows, contracted, columns] = valuesFrom(count, cuts.batch.length, 3);
  const batch = valuesFrom(count, 0, cuts.batch.length);
  const mapOf = (input: 0 | 1, free: number | undefined) => {
    const { contracted: at } = input === 0 ? roles.a : roles.b;
    const shape = call.shapes[input] ?? [];
    const leading = batch.slice(batch.length - (shape.length - 2));
    const last = at === shape.length - 1 ? [free, contracted] : [contracted, free];
    return [...leading, ...last].map((value, dim) => (shape[dim] === 1 ? -1 : (value ?? -1)));
  };
  const output = {
    shape: roles.output,
    map: [...batch, rows, columns].map((value) => value ?? -1),
  };
  return {
    deviceMatrix,
    inputMaps: [mapOf(0, rows), mapOf(1, columns)],
    outputs: [output],
    forward: cuts.contracted > 1 ? [{ primitive: "AllReduce", axes: [contracted ?? -1] }] : [],
  };
}

/**
 * The result for an out_strategy: (…, M, N) is an AllReduce, (…, M·K, N) a ReduceScatter; anything
 * else is refused.
 */
function withOutStrategy(
  inferred: Inferred,
  cuts: Cuts,
  outStrategy: readonly number[],
): Checked<Inferred> {
  const { batch, rows, contracted, columns } = cuts;
  const combined = [...batch, rows, columns];
  if (outStrategy.join() === combined.join()) return passed(inferred);
  const scattered = [...batch, rows * contracted, columns];
  const [output] = inferred.outputs;
  if (outStrategy.join() !== scattered.join() || output === undefined) {
    return refused(
      `the out_strategy must be (${combined.join(", ")}) or (${scattered.join(", ")}), not (${outStrategy.join(", ")})`,
    );
  }
  if (output.shape.some((size, dim) => size % (outStrategy[dim] ?? 1) !== 0)) {
    return refused(`the result cannot be divided as the out_strategy says`);
  }
  const forward = inferred.forward.map(
    ({ axes }) => ({ primitive: "ReduceScatter", axes }) as const,
  );
  const scatteredOutput: OperatorOutput = {
    shape: output.shape,
    map: valuesFrom(scattered.length, 0, scattered.length),
    deviceMatrix: scattered,
  };
  if (batch.length === 0) return passed({ ...inferred, outputs: [scatteredOutput], forward });
  return scatteredWrongly({ ...inferred, forward }, scatteredOutput, cuts);
}

/**
 * MindSpore scatters dim 0 whatever the rank, so the blocks differ from those of the result's
 * layout.
 */
function scatteredWrongly(
  inferred: Inferred,
  output: OperatorOutput,
  { batch, rows, contracted, columns }: Cuts,
): Checked<Inferred> {
  const pieces = [...batch, rows, columns].with(0, (batch[0] ?? 1) * contracted);
  const slice = output.shape.map((size, dim) => size / (pieces[dim] ?? 1));
  if (!slice.every(Number.isInteger)) return refused("dim 0 cannot be scattered evenly");
  return passed({ ...inferred, outputs: [{ ...output, slice }] }, [
    wrongNumbers("mindspore/scatters-dim-0"),
  ]);
}

/**
 * Equal strategies of two matrices that use every device: both inputs are gathered along the
 * contracted dim, and nothing is reduced (the PCL form).
 */
function gatheredForm(call: TupleCall, { output }: Roles): Inferred | undefined {
  const { shapes, strategies, attributes, devices, outStrategy } = call;
  const [a = [], b = []] = strategies;
  const isPlain = shapes.every((shape) => shape.length === 2);
  const isTransposed = attributes.transpose_a === true || attributes.transpose_b === true;
  const isFull = a.join() === b.join() && product(a) === devices;
  if (!isPlain || isTransposed || !isFull || outStrategy !== undefined) return undefined;
  const map = [1, 0];
  return {
    deviceMatrix: a,
    inputMaps: [map, map],
    outputs: [{ shape: output, map }],
    forward: [
      { primitive: "AllGather", axes: [valueAt(2, 1)] },
      { primitive: "AllGather", axes: [valueAt(2, 0)] },
    ],
  };
}

/**
 * The batch-parallel dims: rows of input 0; with batch dims, dim 0 of both inputs or of the one
 * with more dims (mindspore.md §2.4).
 */
function batchDims({ shapes, attributes }: OperatorCall): readonly (readonly [number, number])[] {
  const [a = [], b = []] = shapes;
  if (Math.max(a.length, b.length) <= 2) return [[0, attributes.transpose_a === true ? 1 : 0]];
  if (a.length !== b.length) return [[a.length > b.length ? 0 : 1, 0]];
  return a.length > 2
    ? [
        [0, 0],
        [1, 0],
      ]
    : [[0, 0]];
}
