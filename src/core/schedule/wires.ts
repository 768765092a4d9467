import {
  type FlatStep,
  placesOfValues,
  type SpmdProgram,
  type Value,
  type ValueId,
} from "#core/program";
import { type Lists, ListsWriter, placesOf } from "./lists.ts";

/** The data dependencies between the steps of a pass; values by their numbers. */
export interface Wires {
  readonly values: readonly (Value | undefined)[];
  /** For each step, the values that it reads (`inputs`) and those that it makes (`outputs`). */
  readonly inputs: Lists;
  readonly outputs: Lists;
  /** For each value, the last step that makes it; -1 without one. */
  readonly maker: Int32Array;
  /**
   * For each step: the steps that make its operands (`makers`) and the steps that read its results
   * (`readers`), once each.
   */
  readonly makers: Lists;
  readonly readers: Lists;
}

/** Numbers for the values of a program. */
export interface NumberedValues {
  /** Values by number; `undefined` for a value that the program does not list. */
  readonly values: readonly (Value | undefined)[];
  readonly numberOf: (id: ValueId) => number;
}

/** Numbers the values of a program in their order. */
export function numberedValues(program: SpmdProgram): NumberedValues {
  const values: (Value | undefined)[] = [...program.values];
  const places = placesOfValues(program);
  const others = new Map<ValueId, number>();
  const numberOf = (id: ValueId) => {
    const known = places.get(id) ?? others.get(id);
    if (known !== undefined) return known;
    others.set(id, values.length);
    return values.push(undefined) - 1;
  };
  return { values, numberOf };
}

/** A quicker `numberOf` for callers that ask for values in their listed order. */
function numberInOrder({ values, numberOf }: NumberedValues): NumberedValues["numberOf"] {
  let next = 0;
  return (id) => {
    const number = values[next]?.id === id ? next : numberOf(id);
    next = number + 1;
    return number;
  };
}

/** Finds the makers and readers of all values. */
export function wiresOf(steps: readonly FlatStep[], numbered: NumberedValues): Wires {
  const { values } = numbered;
  const inputs = valuesOf(steps, numbered.numberOf, inputsOf);
  // Most steps make values in their listed order.
  const outputs = valuesOf(steps, numberInOrder(numbered), outputsOf);
  const maker = new Int32Array(values.length).fill(-1);
  const makers = new ListsWriter(steps.length, inputs.all.length);
  for (let step = 0; step < steps.length; step += 1) {
    for (let at = inputs.first[step] ?? 0; at < (inputs.first[step + 1] ?? 0); at += 1) {
      const from = maker[inputs.all[at] ?? 0] ?? -1;
      if (from >= 0) makers.addOnce(from);
    }
    makers.next();
    for (let at = outputs.first[step] ?? 0; at < (outputs.first[step + 1] ?? 0); at += 1)
      maker[outputs.all[at] ?? 0] = step;
  }
  const made = makers.finish();
  const readers = placesOf(made, steps.length);
  return { values, inputs, outputs, maker, makers: made, readers };
}

function valuesOf(
  steps: readonly FlatStep[],
  numberOf: (id: ValueId) => number,
  idsOf: (step: FlatStep) => readonly ValueId[] | ValueId,
): Lists {
  let most = 0;
  for (const step of steps) {
    const ids = idsOf(step);
    most += typeof ids === "string" ? 1 : ids.length;
  }
  const lists = new ListsWriter(steps.length, most);
  for (const step of steps) {
    const ids = idsOf(step);
    if (typeof ids === "string") lists.add(numberOf(ids));
    else for (const id of ids) lists.add(numberOf(id));
    lists.next();
  }
  return lists.finish();
}

function inputsOf(step: FlatStep): readonly ValueId[] | ValueId {
  return step.kind === "local" ? step.inputs : step.input;
}

function outputsOf(step: FlatStep): readonly ValueId[] | ValueId {
  return step.kind === "local" ? step.outputs : step.output;
}
