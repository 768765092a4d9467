import { hasErrors } from "#core/diagnostics";
import {
  type Beside,
  type BesideMeasured,
  besideMeasured,
  laidBeside,
  modelledSteps,
  ownCollectives,
} from "#systems/published";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";
import { publishedOf } from "./published.ts";

/**
 * `xla`: compares the collectives of a program compiled by XLA (`hlo`, the path of
 * `compiled.as_text()`, or `hloText`, the text) with the plan's; for a trace of a run, its steps
 * with the schedule.
 */
export function xlaAnswer(args: Arguments): Answer {
  const { hlo, hloText, ...rest } = args;
  if (typeof hlo !== "string" && typeof hloText !== "string") {
    return badRequest('"hlo" must be the path of a compiled program, or "hloText" its text');
  }
  const read = publishedOf(typeof hlo === "string" ? { file: hlo } : { program: hloText });
  if (read?.ok === false) return { ok: false, diagnostics: read.diagnostics };
  if (read === undefined || (read.value.collectives ?? read.value.measured) === undefined) {
    return badRequest("it is no compiled program of XLA, and no trace of a run");
  }
  const compiled = compileRequest(rest);
  if (!compiled.ok) return { ok: false, diagnostics: compiled.diagnostics };
  const { program, schedule, diagnostics } = compiled.value;
  const { measured } = read.value;
  if (measured !== undefined) {
    const all = [...diagnostics, ...read.value.notes];
    if (schedule === undefined) return { ok: false, diagnostics: all };
    const both = besideMeasured(measured, modelledSteps(program, schedule));
    return {
      ok: !hasErrors(all),
      read: read.value.sentence,
      ...measuredFields(both),
      diagnostics: all,
    };
  }
  const beside = laidBeside(read.value.collectives ?? [], ownCollectives(program));
  const all = [...diagnostics, ...read.value.notes];
  return { ok: !hasErrors(all), read: read.value.sentence, ...fieldsOf(beside), diagnostics: all };
}

function measuredFields(beside: BesideMeasured): Readonly<Record<string, unknown>> {
  const { rows, collectives, onlyOurs, ...totals } = beside;
  return {
    ...totals,
    rows: rows.map(({ name, measured, modelled, difference }) => ({
      ...{ name, measured, modelled },
      ...(difference !== undefined && { difference }),
    })),
    ...(collectives.length > 0 && {
      collectives: collectives.map(
        ({ kind, dtype, shape, groupSize, times, bytes, ours, difference }) => ({
          ...{ collective: kind, dtype, shape, devices: groupSize, times, bytes, ours },
          ...(difference !== undefined && { difference }),
        }),
      ),
    }),
    ...(onlyOurs.length > 0 && { onlyOurs }),
  };
}

function fieldsOf({ kinds, rows, onlyOurs }: Beside): Readonly<Record<string, unknown>> {
  return {
    kinds: kinds.map(({ kind, ...counts }) => ({ collective: kind, ...counts })),
    collectives: rows.map(
      ({ kind, name, phase, dtype, shape, groupSize, times, bytes, ours, difference }) => ({
        ...{
          collective: kind,
          operator: name,
          phase,
          dtype,
          shape,
          devices: groupSize,
          times,
          bytes,
        },
        ours,
        ...(difference !== undefined && { difference }),
      }),
    ),
    ...(onlyOurs.length > 0 && {
      onlyOurs: onlyOurs.map(({ kind, tensor, phase, groupSize, bytes, difference }) => ({
        ...{ collective: kind, tensor, phase, devices: groupSize, bytes, difference },
      })),
    }),
  };
}
