import type { SpmdProgram } from "#core/program";
import { type EdgeFigures, edgesIn } from "./edge.ts";

/** The name of a gradient without the number of its contribution: `h.grad` for `h.grad#2`. */
export function gradientName(name: string | undefined): string | undefined {
  return name?.replace(/#\d+$/u, "");
}

/** Cost of everything the plan sends for one gradient, and its first redistribution. */
export interface OwnGradient {
  readonly index: number;
  readonly figures: EdgeFigures;
}

/** The plan's redistributions of gradients by gradient name, summed over contributions. */
export function gradientsIn(program: SpmdProgram): ReadonlyMap<string, OwnGradient> {
  const edgeOf = edgesIn(program);
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const found = new Map<string, OwnGradient>();
  for (const redistribution of program.redistributions) {
    const figures = edgeOf(redistribution)?.ours;
    const name = gradientName(names.get(redistribution.tensor));
    if (figures === undefined || name === undefined) continue;
    const known = found.get(name);
    const all = known === undefined ? figures : together(known.figures, figures);
    found.set(name, { index: known?.index ?? redistribution.index, figures: all });
  }
  return found;
}

function together(one: EdgeFigures, other: EdgeFigures): EdgeFigures {
  return {
    steps: [...one.steps, ...other.steps],
    bytes: one.bytes + other.bytes,
    seconds: one.seconds + other.seconds,
  };
}
