import { hasErrors } from "#core/diagnostics";
import {
  chromeTrace,
  memoryOverTime,
  type Schedule,
  type ScheduledItem,
  scheduledItems,
} from "#core/schedule";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";

/**
 * `schedule`: start of each step of a program, and its lane; with `as: "chrome-trace"`, a trace for
 * viewers (commands.md).
 */
export function scheduleAnswer({ as, ...args }: Arguments): Answer {
  if (as !== undefined && as !== "chrome-trace") {
    return badRequest('"as" of a schedule can only be "chrome-trace"');
  }
  if (args.model !== undefined) {
    return badRequest('a schedule has no "model": under a cost model nothing runs beside anything');
  }
  const compiled = compileRequest(args);
  if (!compiled.ok) return { ok: false, diagnostics: compiled.diagnostics };
  const { program, schedule, memory, cost, diagnostics } = compiled.value;
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const refused = fault === undefined ? {} : { code: fault.code };
  const answer = { ok: !hasErrors(diagnostics), ...refused };
  if (schedule === undefined) return { ...answer, diagnostics };
  const items = scheduledItems(program, schedule);
  const curve = memoryOverTime(schedule, memory.curve);
  if (as !== undefined) return { ...answer, ...chromeTrace(items, curve), diagnostics };
  const devices = [...program.devices];
  return {
    ...answer,
    items: items.map(itemRow),
    ...totalsOf(schedule, Number.isNaN(cost.seconds)),
    devices,
    // Every device runs every step, so the device with the most memory represents all.
    memory: [{ device: devices[0] ?? 0, curve }],
    diagnostics,
  };
}

function itemRow({ steps, ...item }: ScheduledItem) {
  const [step] = steps;
  return {
    ...(step !== undefined && { step }),
    ...(steps.length > 1 && { steps }),
    ...item,
  };
}

/** Figures of the whole schedule; NaN when an operator's time is unknown. */
function totalsOf(schedule: Schedule, isUnknown: boolean) {
  const { limit, overlap, ...figures } = schedule;
  const { seconds, compute, communication, exposed, hidden, bubble, host } = figures;
  const known = { seconds, compute, communication, exposed, hidden, bubble, host };
  const unknown = Object.fromEntries(Object.keys(known).map((name) => [name, NaN]));
  return { ...(isUnknown ? unknown : known), limit, overlap };
}
