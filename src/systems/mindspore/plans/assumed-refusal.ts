import type { Diagnostic } from "#core/diagnostics";
import type { TracedOperator } from "#language/document/trace";
import { followsGuess } from "#language/document/trace";

/** What is refused of a strategy, since it does not fit the rank or the sizes of an operand. */
const ofRank = /has \d+ entries for \d+ dims/;
const ofSizes = /cannot be divided into/;

/** A refusal of a strategy; one that follows from a shape which nobody gave is no fault of the text. */
export function refusalOf(traced: TracedOperator): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => {
    const { code, severity, message } = diagnostic;
    if (code !== "mindspore/strategy-refused" || severity !== "error") return diagnostic;
    const isOfRank = ofRank.test(message) && followsGuess(traced.inputs);
    const isOfSizes = ofSizes.test(message) && traced.assumed !== undefined;
    if (!isOfRank && !isOfSizes) return diagnostic;
    const what = isOfRank ? "its rank is a guess" : "its sizes are assumed";
    const { upstream, fixes, ...rest } = diagnostic;
    return {
      ...rest,
      severity: "warning",
      message: `${message}; ${what}, since nothing gives a shape: call the net with one`,
    };
  };
}
