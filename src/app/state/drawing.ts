import { type Compiled, shareStructure } from "#compile";

/** The drawn version of the text. */
export interface Drawing {
  readonly of: Compiled;
  /** Equal to `of` except for its text, diagnostics and places. */
  readonly drawn: Compiled;
}

/** The drawing of a version, made of the parts of the drawing before wherever they say the same. */
export function drawingOf(
  before: Drawing | undefined,
  shown: Compiled | undefined,
): Drawing | undefined {
  if (shown === undefined || before?.of === shown) return before;
  if (before === undefined) return { of: shown, drawn: shown };
  const parts = sharedFields(before, shown);
  const isSame = drawnParts.every((part) => parts[part] === before.drawn[part]);
  return { of: shown, drawn: isSame ? before.drawn : parts };
}

const drawnParts = [
  ...(["mesh", "hardware", "hardwareStatus", "graph", "plan"] as const),
  ...(["program", "tensors", "cost", "schedule", "memory"] as const),
  "modelFlops",
] satisfies readonly (keyof Compiled)[];

function sharedFields({ of, drawn }: Drawing, shown: Compiled): Compiled {
  const part = <Key extends keyof Compiled>(key: Key): Compiled[Key] =>
    of[key] === shown[key] ? drawn[key] : shareStructure(drawn[key], shown[key]);
  return {
    source: shown.source,
    ...importedOf(shown),
    // Places of the text, which only what is of the newest text may read.
    ...(shown.lines !== undefined && { lines: shown.lines }),
    system: shown.system,
    diagnostics: shown.diagnostics,
    mesh: part("mesh"),
    hardware: part("hardware"),
    hardwareStatus: part("hardwareStatus"),
    graph: part("graph"),
    plan: part("plan"),
    program: part("program"),
    tensors: part("tensors"),
    cost: part("cost"),
    memory: part("memory"),
    modelFlops: part("modelFlops"),
    ...(shown.schedule !== undefined && { schedule: part("schedule"), rules: part("rules") }),
  };
}

/** The nodes of an imported graph belong to their text: they are those of the newest one. */
function importedOf({ imported }: Compiled): Pick<Compiled, "imported"> {
  return imported === undefined ? {} : { imported };
}
