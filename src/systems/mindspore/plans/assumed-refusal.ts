import type { Diagnostic } from "#core/diagnostics";
import type { TracedOperator } from "#language/document/trace";
import { followsGuess } from "#language/document/trace";

/** Matches refusals of a strategy that does not fit the rank, or the sizes, of an operand. */
const ofRank = /has \d+ entries for \d+ dims/;
const ofSizes = /cannot be divided into/;

/**
 * Turns the refusal of a strategy into a warning if it follows from a guessed rank or assumed
 * sizes.
 */
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
