import type { Compiled } from "#compile";
import { aliveAt } from "#core/cost";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { Value } from "#core/program";
import { displayNames } from "../display-names.ts";
import { allSteps } from "../folded.ts";
import { type DrawnTensor, drawnIn } from "../glyph/drawn-dims.ts";
import { rowsOf } from "../rows.ts";

/** One tensor in the memory of the devices while a step runs. */
export interface LiveTensor {
  readonly key: string;
  readonly tensor: TensorId;
  /** The tensor's name; for memory kept or allocated along with it, `mask of h`. */
  readonly name: string;
  readonly drawn: DrawnTensor;
  /** First index of each dim, if not 0. */
  readonly start?: readonly number[];
  /** The boxes of each device in mesh order, if they differ from the blocks of the layout. */
  readonly held?: Value["held"];
  /** Bytes on the fullest device; 0 for a tensor that overwrites the one it replaces. */
  readonly bytes: number;
  /** Whether the step reads or produces the tensor; `undefined` if neither. */
  readonly use: "reads" | "makes" | undefined;
}

/**
 * The tensors that devices hold while a step runs: first those the step reads and produces, then
 * those a later step needs, largest first.
 *
 * @param place index of the step among all steps of the program, with repeated runs expanded
 */
export function liveTensors(compiled: Compiled, place: number): readonly LiveTensor[] {
  const { program } = compiled;
  const said = displayNames(compiled);
  const step = allSteps(program)[place];
  const reads = new Set(step?.kind === "local" ? step.inputs : step && [step.input]);
  const makes = new Set(step?.kind === "local" ? step.outputs : step && [step.output]);
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const held = aliveAt(program, place).flatMap(
    ({ value: id, what, bytes }): readonly LiveTensor[] => {
      const value = values.get(id);
      const tensor = value && tensors.get(value.tensor);
      if (value === undefined || tensor === undefined) return [];
      const isItself = what === undefined;
      const use = !isItself
        ? undefined
        : makes.has(id)
          ? "makes"
          : reads.has(id)
            ? "reads"
            : undefined;
      const key = isItself ? id : `${id} ${what}`;
      const own = said.tensor(tensor.id);
      const name = isItself ? own : `${what} of ${own}`;
      const drawn = drawnIn(compiled, tensor, value.layout);
      const start = tensor.start === undefined ? {} : { start: tensor.start };
      const windows = value.held === undefined ? {} : { held: value.held };
      return [{ key, tensor: tensor.id, name, drawn, ...start, ...windows, bytes, use }];
    },
  );
  const rank = { reads: 0, makes: 1 };
  const order = ({ use }: LiveTensor) => (use === undefined ? 2 : rank[use]);
  return held.sort((a, b) => order(a) - order(b) || b.bytes - a.bytes || (a.key < b.key ? -1 : 1));
}

/**
 * The part of a tensor that a device holds: `b 0…255, f 0…2047`; several boxes are joined by `and`.
 */
export function heldText({ drawn, held, ...of }: LiveTensor, device: DeviceId): string {
  const { layout, shape, dimNames } = drawn;
  const tensor = { shape, ...(of.start && { start: of.start }) };
  return rowsOf({ layout, held }, tensor, undefined, [device])
    .map(({ ranges }) =>
      ranges.map(({ text }, dim) => `${dimNames[dim] ?? `d${dim}`} ${text}`).join(", "),
    )
    .join(" and ");
}
