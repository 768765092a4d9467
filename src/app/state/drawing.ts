import { type Compiled, shareStructure } from "#compile";

/** The drawn version of the text. */
export interface Drawing {
  readonly of: Compiled;
  /** Equal to `of` except for text, diagnostics and spans. */
  readonly drawn: Compiled;
}

/** The drawing of a version; parts equal to those of the previous drawing are reused. */
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
    // Spans of the text; only code that reads the newest text may use them.
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

/** The nodes of an imported graph refer to spans, so they are those of the newest text. */
function importedOf({ imported }: Compiled): Pick<Compiled, "imported"> {
  return imported === undefined ? {} : { imported };
}
