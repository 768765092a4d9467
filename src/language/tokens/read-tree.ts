import type { Tree } from "@lezer/common";
import { parser } from "@lezer/python";

const strictParser = parser.configure({ strict: true });

/** Units of a malformed text that the grammar's own recovery may look at: it can be slow. */
const recoveryBudget = 8_000;

/** The grammar's tree of a text; none of one that is malformed and long. */
export function readTree(source: string): Tree | undefined {
  try {
    return strictParser.parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return source.length <= recoveryBudget ? parser.parse(source) : undefined;
  }
}
