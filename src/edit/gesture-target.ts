import type { Compiled, Reader } from "#compile";
import { type Tensor, type TensorId, tensorsById } from "#core/ir";
import { dimName, dimsOf, namesIn, restsApart } from "./gesture-axes.ts";
import type { DimGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/** A gesture on a dim, with the text version to which it applies. */
export interface Work extends Version {
  readonly gesture: DimGesture;
  readonly tensor: Tensor;
  /** The tensor and its counterparts that change alike. */
  readonly members: readonly Member[];
  /** Name of the dim. */
  readonly dimName: string;
  /** Present axes of the dim, outermost first. */
  readonly now: readonly string[];
  /** Whether the tensor rests in another layout than its first reader's. */
  readonly isApart: boolean;
}

/** A tensor changed by a gesture, with its own reader. */
export interface Member {
  readonly tensor: Tensor;
  readonly reader: Reader | undefined;
}

/** Tensors that a gesture changes, its own first; `undefined` if one is not in the program. */
function membersOf(
  { graph }: Compiled,
  { tensor, reader, alike = [] }: DimGesture,
): readonly [Member, ...Member[]] | undefined {
  const known = tensorsById(graph);
  const of = (id: TensorId, by: Reader | undefined) => {
    const found = known.get(id);
    return found && { tensor: found, reader: by };
  };
  const own = of(tensor, reader);
  const others = alike.map((each) => of(each.tensor, each.reader));
  const found = others.filter((each) => each !== undefined);
  return own === undefined || found.length < others.length ? undefined : [own, ...found];
}

/** Target of a gesture in a text version, or the reason why it has none. */
export function targetOf(version: Version, asked: DimGesture): Work | string {
  const { compiled } = version;
  const gesture = asked.kind === "scatter" ? asPlaced(asked) : asked;
  const members = membersOf(compiled, gesture);
  if (members === undefined) return strangerText(compiled, gesture);
  const [{ tensor }] = members;
  const { dim, reader } = gesture;
  if (dim < 0 || dim >= tensor.shape.length) return `"${tensor.name}" has no dim ${dim}`;
  const now = namesIn(dimsOf(compiled, tensor, reader)[dim]);
  return {
    ...version,
    ...{ gesture, tensor, members, now },
    dimName: dimName(tensor, dim),
    isApart: restsApart(compiled, tensor),
  };
}

/** A `scatter` changes where the sum is placed, whatever its reader. */
function asPlaced({ reader: _, alike, ...gesture }: DimGesture): DimGesture {
  return alike === undefined
    ? gesture
    : { ...gesture, alike: alike.map(({ tensor }) => ({ tensor })) };
}

/** Why a tensor that is not in the text cannot be changed. */
function strangerText({ program }: Compiled, { tensor: id }: DimGesture): string {
  const added = program.graph.tensors.find((tensor) => tensor.id === id);
  return added === undefined
    ? `no tensor is called "${id}"`
    : `"${added.name}" comes with train(…): how it lies follows from the forward program`;
}
