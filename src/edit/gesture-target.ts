import type { Compiled, Reader } from "#compile";
import { type Tensor, type TensorId, tensorsById } from "#core/ir";
import { dimName, dimsOf, namesIn, restsApart } from "./gesture-axes.ts";
import type { DimGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/** A gesture on a dim, with the version of the text that it is made on. */
export interface Work extends Version {
  readonly gesture: DimGesture;
  readonly tensor: Tensor;
  /** The tensor and those that change alike. */
  readonly members: readonly Member[];
  /** What the dim is called. */
  readonly dimName: string;
  /** The axes of the dim as it is now, outermost first. */
  readonly now: readonly string[];
  /** Whether the tensor rests otherwise than its first reader wants it. */
  readonly isApart: boolean;
}

/** One of the tensors that a gesture changes alike, and who holds it so. */
export interface Member {
  readonly tensor: Tensor;
  readonly reader: Reader | undefined;
}

/** The tensors that a gesture means, itself first; `undefined` where one is not in the program. */
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

/** The effect of a gesture on a dim in a version of a text; or why it has none there. */
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

/** Where the parts of a sum end up is a placing, whoever's view it is asked in. */
function asPlaced({ reader: _, alike, ...gesture }: DimGesture): DimGesture {
  return alike === undefined
    ? gesture
    : { ...gesture, alike: alike.map(({ tensor }) => ({ tensor })) };
}

/** Why a tensor that the text does not have cannot be changed. */
function strangerText({ program }: Compiled, { tensor: id }: DimGesture): string {
  const added = program.graph.tensors.find((tensor) => tensor.id === id);
  return added === undefined
    ? `no tensor is called "${id}"`
    : `"${added.name}" comes with train(…): how it lies follows from the forward program`;
}
