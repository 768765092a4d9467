import { passed } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { systemCommands } from "#systems/commands";
import type { Answer, Arguments } from "./commands/answer.ts";
import { checkAnswer } from "./commands/check.ts";
import { evaluateAnswer } from "./commands/evaluate.ts";
import { exportAnswer } from "./commands/export.ts";
import { galleryAnswer } from "./commands/gallery.ts";
import { inferAnswer } from "./commands/infer.ts";
import { lessonAnswer } from "./commands/lesson.ts";
import { linkAnswer } from "./commands/link.ts";
import { openAnswer } from "./commands/open.ts";
import { operatorsAnswer } from "./commands/operators.ts";
import { optimizeAnswer } from "./commands/optimize.ts";
import { parseAnswer } from "./commands/parse.ts";
import { partitionAnswer } from "./commands/partition.ts";
import { planAnswer, planSummary } from "./commands/plan.ts";
import { prepareRequest } from "./commands/published.ts";
import { readAnswer } from "./commands/read.ts";
import { reshardAnswer } from "./commands/reshard.ts";
import { runAnswer } from "./commands/run.ts";
import { scheduleAnswer } from "./commands/schedule.ts";
import { settingsAnswer } from "./commands/settings.ts";
import { slicesAnswer } from "./commands/slices.ts";
import { xlaAnswer } from "./commands/xla.ts";

type Command = (args: Arguments) => Answer;

/** Every command by name. */
const commands: Readonly<Record<string, Command>> = {
  parse: parseAnswer,
  infer: inferAnswer,
  partition: partitionAnswer,
  reshard: reshardAnswer,
  ...ofSystems(),
  evaluate: evaluateAnswer,
  slices: slicesAnswer,
  plan: planAnswer,
  schedule: scheduleAnswer,
  optimize: optimizeAnswer,
  check: checkAnswer,
  run: runAnswer,
  export: exportAnswer,
  operators: operatorsAnswer,
  link: linkAnswer,
  open: openAnswer,
  gallery: galleryAnswer,
  lesson: lessonAnswer,
  read: readAnswer,
  settings: settingsAnswer,
  xla: xlaAnswer,
};

/** Commands that belong to one system. */
function ofSystems(): Readonly<Record<string, Command>> {
  const tools = { evaluate: (program: string) => evaluateAnswer({ program }) };
  return Object.fromEntries(
    Object.entries(systemCommands).map(([name, command]) => [name, (args) => command(args, tools)]),
  );
}

/** Names of all commands, in the order of the help text. */
export const commandNames: readonly string[] = Object.keys(commands);

/**
 * The answer to a command. Never throws: a failure, even a bug of this program, becomes a
 * diagnostic.
 */
export function answerTo(name: string, args: Arguments): Answer {
  return answerBy(Object.hasOwn(commands, name) ? fieldOf(commands, name) : undefined, name, args);
}

/** The answer for people: shortened where it would be long. */
export function summaryTo(name: string, args: Arguments): Answer {
  return name === "plan" ? answerBy(planSummary, name, args) : answerTo(name, args);
}

function answerBy(command: Command | undefined, name: string, args: Arguments): Answer {
  if (command === undefined) return fault("unknown-command", unknownCommand(name));
  try {
    const prepared = command === readAnswer ? passed({ args, notes: [] }) : prepareRequest(args);
    if (!prepared.ok) return { ok: false, diagnostics: prepared.diagnostics };
    const answer = command(prepared.value.args);
    return { ...answer, diagnostics: [...prepared.value.notes, ...answer.diagnostics] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fault("cli/internal-error", `${name} failed by a fault of this program: ${reason}`);
  }
}

function unknownCommand(name: string): string {
  return `"${name}" is not a command; there are ${commandNames.join(", ")} and batch`;
}

function fault(code: DiagnosticCode, message: string): Answer {
  return { ok: false, diagnostics: [{ code, severity: "error", message }] };
}
