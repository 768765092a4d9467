import { classesOf, has, type LinkCall, type LinkedDim, type Links, type Ref } from "./links.ts";

const letters = "abcdefghijlmopqrstuvwxyz";

/**
 * The annotation of linked dims: one letter per class, an own letter with `^` for a frozen dim,
 * numbers for unlinked result dims. Classes whose size changes are frozen, since a piece of one
 * size is no piece of the other.
 *
 * @param isTensor whether an operand is a tensor; others are written `?`
 */
export function linkedAnnotation(
  links: Links,
  { shapes }: LinkCall,
  isTensor: (input: number) => boolean,
): string {
  const classes = classesOf(links, shapes).map((each, at) => ({ ...each, name: nameAt(at) }));
  let used = classes.length;
  const sizeOf = ([input, dim]: Ref) => shapes[input]?.[dim] ?? 1;
  const resized = new Set(
    links.outputs
      .flat()
      .flatMap(({ size, refs }) =>
        classes.filter((each) => refs.some((ref) => has(each.refs, ref)) && each.size !== size),
      ),
  );
  const dimOf = (ref: Ref) => {
    const found = classes.find(({ refs }) => has(refs, ref));
    if (found === undefined) return `${nameAt(used++)}^`;
    if (sizeOf(ref) === 1 && found.size > 1) return "1";
    if (sizeOf(ref) !== found.size) return `${nameAt(used++)}^`;
    return `${found.name}${resized.has(found) ? "^" : found.isSummed ? "+" : ""}`;
  };
  const inputs = shapes.map((shape, input) =>
    isTensor(input) ? spelt(shape.map((_, dim) => dimOf([input, dim]))) : "?",
  );
  const resultDim = ({ size, refs }: LinkedDim) => {
    const found = classes.find((each) => refs.some((ref) => has(each.refs, ref)));
    return found === undefined || resized.has(found) ? String(size) : found.name;
  };
  const outputs = links.outputs.map((dims) => spelt(dims.map(resultDim)));
  return `${inputs.join(", ")} -> ${outputs.join(", ")}`;
}

/** The annotation of one tensor; a scalar is written as a single element. */
function spelt(dims: readonly string[]): string {
  return dims.length === 0 ? "1" : dims.join(" ");
}

function nameAt(index: number): string {
  return letters[index] ?? `d${index}`;
}
