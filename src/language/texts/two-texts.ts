/**
 * A graph in JSON and its plan in one text: the JSON, a line `# plan`, the plan. JSON never
 * contains such a line, so the plan is found even while the JSON is being typed, and edits, drafts
 * and the log handle a single text.
 */
export interface TwoTexts {
  readonly json: string;
  readonly plan: string;
  /** Offset of the plan in the text; the text's length without a plan. */
  readonly planFrom: number;
}

const joint = "\n# plan\n";

/** JSON and plan of a document; `undefined` for a program text. */
export function splitTexts(source: string): TwoTexts | undefined {
  if (!/^[\s\ufeff]*\{/.test(source)) return undefined;
  const end = source.indexOf(joint);
  if (end < 0) return { json: source, plan: "", planFrom: source.length };
  const planFrom = end + joint.length;
  return { json: source.slice(0, end), plan: source.slice(planFrom), planFrom };
}

/** Text of a graph and its plan; the JSON alone without a plan. */
export function joinTexts(json: string, plan: string): string {
  return plan === "" ? json : `${json}${joint}${plan}`;
}

/** Edit of the whole text for an edit of its plan, whose offsets are relative to the plan. */
export function editInPlan(
  { plan, planFrom }: TwoTexts,
  edit: { readonly from: number; readonly to: number; readonly text: string },
): { readonly from: number; readonly to: number; readonly text: string } {
  const lead = plan === "" && edit.text !== "" ? joint : "";
  return { from: planFrom + edit.from, to: planFrom + edit.to, text: lead + edit.text };
}
