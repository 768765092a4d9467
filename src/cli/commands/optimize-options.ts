import { byteSizeForms, readByteSize } from "#core/arithmetic";
import { type Collective, collectives } from "#core/collective";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { PlanRequest } from "#planner";
import type { Arguments } from "./answer.ts";

/** Placements that a search may change although the text sets them. */
export interface Freed {
  /** Whether layouts at rest that `place` gives to inputs and parameters may change. */
  readonly placements: boolean;
}

/** Options of `optimize` for the search as a whole, not for single operators or results. */
export interface SearchOptions
  extends Pick<PlanRequest, "memoryLimit" | "partials" | "forbid" | "redundant" | "uneven"> {
  readonly freed: Freed;
}

/** Known fields of a request, by the kind of problem. */
const fields = {
  program: [
    ...["program", "planText", "dialect", "dtypes", "hardware", "model", "memoryLimit", "pins"],
    ...["outputs", "partials", "forbid", "redundant", "uneven", "free"],
  ],
  instance: ["instance", "memoryLimit"],
} as const;

/** The first field that `optimize` does not know: ignoring it would plan something else. */
export function unknownField(args: Arguments): Diagnostic | undefined {
  const kind = args.instance === undefined ? "program" : "instance";
  const known: readonly string[] = fields[kind];
  const name = Object.keys(args).find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  const whose = kind === "program" ? '"optimize"' : '"optimize" of an instance';
  return badField(`${whose} has no field "${name}": there are ${known.join(", ")}`);
}

/** Reads the options of a search; a malformed one is an error that names the field. */
export function readSearchOptions(args: Arguments): Checked<SearchOptions> {
  const { partials, redundant, uneven } = args;
  const limit = readMemoryLimit(args.memoryLimit);
  if (!limit.ok) return limit;
  if (partials !== undefined && partials !== "flow" && partials !== "reduce") {
    return failed(badField('"partials" is "reduce" or "flow"'));
  }
  const forbid = readForbidden(args.forbid);
  if (!forbid.ok) return forbid;
  if (redundant !== undefined && typeof redundant !== "boolean") {
    return failed(badField('"redundant" is true or false'));
  }
  if (uneven !== undefined && typeof uneven !== "boolean") {
    return failed(badField('"uneven" is true or false'));
  }
  const freed = readFreed(args.free);
  if (!freed.ok) return freed;
  return passed({
    ...(limit.value !== undefined && { memoryLimit: limit.value }),
    ...(partials !== undefined && { partials }),
    ...(forbid.value !== undefined && { forbid: forbid.value }),
    ...(redundant !== undefined && { redundant }),
    ...(uneven !== undefined && { uneven }),
    freed: freed.value,
  });
}

/** The memory limit in bytes. */
function readMemoryLimit(given: unknown): Checked<number | undefined> {
  if (given === undefined) return passed(undefined);
  const bytes = readByteSize(given);
  if (bytes !== undefined) return passed(bytes);
  return failed(badField(`"memoryLimit" is ${byteSizeForms}, not ${JSON.stringify(given)}`));
}

function readForbidden(given: unknown): Checked<readonly Collective[] | undefined> {
  if (given === undefined) return passed(undefined);
  const names = Array.isArray(given) ? given : [given];
  const known = names.flatMap((name) => collectives.filter((each) => each === name));
  const isSound = Array.isArray(given) && known.length === names.length;
  if (isSound) return passed(known);
  const wrong = names.find((name) => collectives.every((each) => each !== name));
  const message = `"forbid" lists collectives: ${collectives.join(", ")}`;
  return failed(
    badField(wrong === undefined ? message : `${message}; ${JSON.stringify(wrong)} is none`),
  );
}

function readFreed(given: unknown): Checked<Freed> {
  const names = given === undefined ? [] : given;
  const isSound = Array.isArray(names) && names.every((name) => name === "placements");
  if (isSound) return passed({ placements: names.length > 0 });
  return failed(badField('"free" lists what may move although the text places it: "placements"'));
}

function badField(message: string): Diagnostic {
  return { code: "cli/bad-request", severity: "error", message };
}
