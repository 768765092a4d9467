import type { RunVerdict } from "#app/engine";
import type { Collective } from "#core/collective";

type Equal = Extract<RunVerdict, { kind: "equal" }>;

/** What a run says of the program, in one plain sentence or two. */
export function runSentence(verdict: RunVerdict, without: Collective | undefined): string {
  switch (verdict.kind) {
    case "refused":
      return verdict.message;
    case "equal": {
      const counts = `${count(verdict.tensorCount, "tensor")}, ${count(verdict.deviceCount, "device")}`;
      return without === undefined
        ? `Equals the unsharded program: ${counts}, ${exactness(verdict.notes)}.`
        : `Still equal without this ${without}: ${counts}. On these numbers nothing depends on it.`;
    }
    case "different": {
      const { name, index, device, got, want } = verdict.cell;
      const cell = `${name}${index.length === 0 ? "" : `[${index.join(", ")}]`}`;
      const has = Number.isNaN(got) ? "has nothing at" : `has ${figure(got)} at`;
      const fault = `device ${device} ${has} ${cell}, where the unsharded program has ${figure(want)}.`;
      return without === undefined ? `Differs: ${fault}` : `Without this ${without}, ${fault}`;
    }
  }
}

/** Numbers that outgrow whole numbers are compared as floats, whose sums depend on their order. */
function exactness(notes: Equal["notes"]): string {
  return notes.some(({ code }) => code === "execute/not-exact")
    ? "within the rounding of floats"
    : "bit for bit";
}

/** That a run ended by a fault of ours. */
export function faultSentence(message: string): string {
  return `The check could not be carried out: ${message}. Your text is safe.`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** A number with a true minus. */
function figure(value: number): string {
  return Number.isNaN(value) ? "no number" : String(value).replace("-", "−");
}
