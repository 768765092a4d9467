/**
 * A graph in JSON and the plan beside it, in one text: the JSON, a line `# plan`, the plan. No JSON has
 * such a line, so even one that is being typed is told from its plan, and edits, drafts and the log
 * know a single text.
 */
export interface TwoTexts {
  readonly json: string;
  readonly plan: string;
  /** Offset of the plan in the text; the text's end where there is no plan yet. */
  readonly planFrom: number;
}

const joint = "\n# plan\n";

/** The two texts of a document; `undefined` of a program, which is one text. */
export function splitTexts(source: string): TwoTexts | undefined {
  if (!/^[\s\ufeff]*\{/.test(source)) return undefined;
  const end = source.indexOf(joint);
  if (end < 0) return { json: source, plan: "", planFrom: source.length };
  const planFrom = end + joint.length;
  return { json: source.slice(0, end), plan: source.slice(planFrom), planFrom };
}

/** One text of a graph and its plan; without a plan it is the JSON alone. */
export function joinTexts(json: string, plan: string): string {
  return plan === "" ? json : `${json}${joint}${plan}`;
}

/** The edit of the one text for an edit at an offset of its plan. */
export function editInPlan(
  { plan, planFrom }: TwoTexts,
  edit: { readonly from: number; readonly to: number; readonly text: string },
): { readonly from: number; readonly to: number; readonly text: string } {
  const lead = plan === "" && edit.text !== "" ? joint : "";
  return { from: planFrom + edit.from, to: planFrom + edit.to, text: lead + edit.text };
}
