import {
  entryOf,
  type Operator,
  type Tensor,
  type TensorId,
  tensorId,
  tensorsById,
} from "#core/ir";
import type { Layout } from "#core/mesh";
import {
  type FlatStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valueId,
} from "#core/program";
import { bindOrThrow, layoutPlan } from "#core/training";
import { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
import { meshOf, meshPartsOf } from "./program-facts.ts";

/** A given tensor, and the `identity` that reads it in its stored layout for all its readers. */
interface Kept {
  readonly tensor: Tensor;
  readonly rest: Value;
  readonly handed: Tensor;
  readonly made: Value;
  readonly operator: Operator;
  readonly step: LocalStep;
}

/**
 * The forward program for an engine that stores inputs or parameters in the layout of their reader.
 * If the plan stores one otherwise, or readers of a parameter want different layouts, an `identity`
 * reads it as stored, and redistributions lead from there to the readers. A program without
 * operators gets an `identity` for every tensor.
 *
 * @param roles of the tensors that the engine stores in this way; others are given whole
 */
export function withKeptTensors(
  program: SpmdProgram,
  roles: readonly Tensor["role"][],
): SpmdProgram {
  const forward = program.graph.operators.filter(({ phase = "forward" }) => phase === "forward");
  const steps = flatSteps(program).filter(({ phase }) => phase === "forward");
  const kept = givenTensors(program)
    .filter(({ tensor, rest }) => {
      if (forward.length === 0) return true;
      return roles.includes(tensor.role) && !isReadAsKept(tensor, rest, program, steps);
    })
    .map(({ tensor, rest }) => keptTensor(tensor, rest, program));
  const [stage] = program.stages;
  if (kept.length === 0) return program;
  const byTensor = new Map(kept.map((each) => [each.tensor.id, each]));
  const byRest = new Map(kept.map((each) => [each.rest.id, each.made.id]));
  const handedOn = (tensor: TensorId) => byTensor.get(tensor)?.handed.id ?? tensor;
  const read = (id: ValueId) => byRest.get(id) ?? id;
  return {
    ...program,
    graph: {
      ...program.graph,
      tensors: [...program.graph.tensors, ...kept.map(({ handed }) => handed)],
      operators: [
        ...kept.map(({ operator }) => operator),
        ...forward.map((operator) => ({
          ...operator,
          inputs: operator.inputs.map((each) => ({ ...each, tensor: handedOn(each.tensor) })),
        })),
      ],
    },
    values: [
      ...program.values.map((value) =>
        byRest.has(value.id) ? value : { ...value, tensor: handedOn(value.tensor) },
      ),
      ...kept.map(({ made }) => made),
    ],
    stages: [
      {
        devices: stage?.devices ?? program.devices,
        steps: [
          ...kept.map(({ step }) => step),
          ...steps.map(
            (step): FlatStep =>
              step.kind === "local"
                ? { ...step, inputs: step.inputs.map(read) }
                : { ...step, input: read(step.input) },
          ),
        ],
      },
    ],
    made: new Map([...program.made, ...kept.map(({ made }) => [made.tensor, made.id] as const)]),
  };
}

/** Inputs and parameters without a producer, with the value in which each is stored. */
function givenTensors({ graph, made, values }: SpmdProgram) {
  return graph.tensors.flatMap((tensor) => {
    const rest = values.find(({ id }) => id === made.get(tensor.id));
    const isGiven = tensor.role === "input" || tensor.role === "parameter";
    return isGiven && tensor.producer === undefined && rest !== undefined ? [{ tensor, rest }] : [];
  });
}

/**
 * Whether every reader takes a tensor as stored or in pieces of its stored blocks; a parameter also
 * needs a single layout.
 */
function isReadAsKept(
  { id, role }: Tensor,
  rest: Value,
  program: SpmdProgram,
  steps: readonly FlatStep[],
): boolean {
  const mesh = meshAtoms(meshOf(program), meshPartsOf(program));
  const read = new Set(steps.flatMap((step) => (step.kind === "local" ? step.inputs : [])));
  const layouts = program.values.flatMap((value) =>
    value.tensor === id && read.has(value.id) ? [value.layout] : [],
  );
  const ways = new Set(layouts.map(({ dims }) => JSON.stringify(dims)));
  const isOne = role !== "parameter" || ways.size <= 1;
  return isOne && layouts.every((layout) => isCutFurther(rest.layout, layout, mesh));
}

/**
 * Whether `read` only cuts the blocks of `rest` into smaller ones, so that nothing has to be sent.
 */
export function isCutFurther(rest: Layout, read: Layout, mesh: MeshAtoms): boolean {
  return rest.dims.every(({ parts }, dim) => {
    const [was, is] = [parts, read.dims[dim]?.parts ?? []].map((each) => mesh.axesOf(each));
    return was?.every((axis, at) => is?.[at] === axis);
  });
}

function keptTensor(tensor: Tensor, rest: Value, program: SpmdProgram): Kept {
  const known = tensorsById(program.graph);
  let name = `${tensor.name}_kept`;
  while (known.has(tensorId(name))) name += "_";
  const entry = entryOf("identity");
  if (entry === undefined) throw new Error("the library has no identity");
  const call = { entry, inputs: [tensor], attributes: {}, phase: "forward" as const };
  const id = tensorId(name);
  const operator = bindOrThrow(call, new Map()).operator([id]);
  const { strategy } = layoutPlan(operator, rest.layout);
  const handed: Tensor = { ...tensor, id, name, role: "activation", producer: operator.id };
  const made: Value = { ...rest, id: valueId(`${rest.id}:kept`), tensor: id, role: "activation" };
  const step: LocalStep = {
    ...{ kind: "local", operator: operator.id, phase: "forward", strategy },
    ...{ inputs: [rest.id], outputs: [made.id] },
  };
  return { tensor, rest, handed, made, operator, step };
}
