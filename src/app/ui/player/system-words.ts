import type { EdgeReason, ProgramSystem } from "#app/state";

/** Why a tensor is sent there, as a word beside its name. */
export function reasonWord(reason: EdgeReason, system: ProgramSystem): string {
  switch (reason) {
    case "operand":
      return system === "nnscaler" ? "adapter" : "redistribution";
    case "again":
      return "for one more reader";
    case "reduction":
      return "summed inside the operator";
    case "output":
      return "a result, whole";
    case "place":
      return "as placed";
    case "mirror":
      return system === "nnscaler" ? "weight reducer" : "mirror";
    case "gradient":
      return "its gradient";
    case "turned":
      return "on the way back";
  }
}
