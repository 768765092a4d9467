import { isRecord } from "#core/records";
import { type Lesson, mostLessonBytes, mostLessonSteps } from "./lesson.ts";

/** Lesson, or its faults, each with its path in the JSON: `steps[2].ask.options`. */
export type ReadLesson =
  | { readonly ok: true; readonly lesson: Lesson }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Reads a lesson from the JSON of a file or a link. Never throws; unknown fields are faults. */
export function readLesson(json: string): ReadLesson {
  if (utf8Bytes(json) > mostLessonBytes) {
    return { ok: false, faults: [`a lesson has at most ${mostLessonBytes} bytes`] };
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { ok: false, faults: ["the lesson is no JSON"] };
  }
  return checkLessonForm(value);
}

/** Bytes of a text in UTF-8. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Like `readLesson`, for parsed JSON. */
export function checkLessonForm(value: unknown): ReadLesson {
  const faults = lessonForm(value, "lesson");
  // Sound: `lessonForm` has checked every field.
  return faults.length === 0 ? { ok: true, lesson: value as Lesson } : { ok: false, faults };
}

/** Validator of a value at path `at`: its faults, empty if the value is valid. */
type Form = (value: unknown, at: string) => readonly string[];

function textOf(most: number, pattern?: RegExp): Form {
  return (value, at) => {
    if (typeof value !== "string") return [`${at} must be a text`];
    if (value.length > most) return [`${at} has more than ${most} characters`];
    const isSound = pattern === undefined || pattern.test(value);
    return isSound ? [] : [`${at} may not be ${JSON.stringify(value.slice(0, 40))}`];
  };
}

function numberOf(least: number, most: number, isWhole = true): Form {
  return (value, at) => {
    const isSound = typeof value === "number" && (!isWhole || Number.isInteger(value));
    return isSound && value >= least && value <= most
      ? []
      : [`${at} must be ${isWhole ? "a whole number" : "a number"} of ${least} to ${most}`];
  };
}

function oneOf(...values: readonly unknown[]): Form {
  return (value, at) =>
    values.includes(value) ? [] : [`${at} must be one of ${values.map(String).join(", ")}`];
}

function listOf(form: Form, least: number, most: number): Form {
  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} must be a list`];
    if (value.length < least || value.length > most) {
      return [`${at} must have ${least} to ${most} entries`];
    }
    return value.flatMap((each, index) => form(each, `${at}[${index}]`));
  };
}

function recordOf(fields: Readonly<Record<string, Form>>, optional: readonly string[] = []): Form {
  return (value, at) => {
    if (!isRecord(value)) return [`${at} must be an object`];
    const names = Object.keys(fields);
    const foreign = Object.keys(value).filter((name) => !names.includes(name));
    const missing = names.filter((name) => !optional.includes(name) && !Object.hasOwn(value, name));
    return [
      ...foreign.map((name) => `${at} has no field ${name.slice(0, 40)}`),
      ...missing.map((name) => `${at}.${name} is missing`),
      ...names.flatMap((name) =>
        Object.hasOwn(value, name) ? (fields[name]?.(value[name], `${at}.${name}`) ?? []) : [],
      ),
    ];
  };
}

const sentence = textOf(2_000);
const condition = textOf(1_000);
const name = /^[a-z0-9][a-z0-9-]{0,63}$/;

const texts: Form = (value, at) => {
  if (!isRecord(value)) return [`${at} must be an object`];
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.length > 24) return [`${at} must have 1 to 24 texts`];
  return entries.flatMap(([key, program]) => [
    ...textOf(64, name)(key, `the name of a text in ${at}`),
    ...textOf(32_768)(program, `${at}.${key}`),
  ]);
};

const asked = {
  question: sentence,
  hides: listOf(oneOf("memory", "comm", "time"), 0, 3),
};

const asks: Readonly<Record<string, Form>> = {
  choice: recordOf(
    {
      kind: oneOf("choice"),
      ...asked,
      options: listOf(
        recordOf({ text: sentence, isRight: oneOf(true, false), says: sentence }, ["says"]),
        2,
        5,
      ),
    },
    ["hides"],
  ),
  number: recordOf(
    {
      kind: oneOf("number"),
      ...asked,
      unit: oneOf("bytes", "seconds", "count"),
      value: condition,
      tolerance: numberOf(0, 0.5, false),
      mistakes: listOf(recordOf({ value: condition, says: sentence }), 0, 6),
    },
    ["hides", "mistakes"],
  ),
  cells: recordOf(
    {
      kind: oneOf("cells"),
      ...asked,
      tensor: textOf(128),
      device: numberOf(0, 1_000_000),
      after: recordOf({ step: numberOf(1, 1_000), hop: numberOf(1, 64) }),
      rows: numberOf(1, 16),
      columns: numberOf(1, 16),
    },
    ["hides", "after"],
  ),
  order: recordOf(
    {
      kind: oneOf("order"),
      ...asked,
      items: listOf(recordOf({ text: sentence, value: condition }), 2, 5),
    },
    ["hides"],
  ),
};

const ask: Form = (value, at) => {
  const kind = isRecord(value) ? value["kind"] : undefined;
  const form = typeof kind === "string" && Object.hasOwn(asks, kind) ? asks[kind] : undefined;
  return form?.(value, at) ?? [`${at}.kind must be one of ${Object.keys(asks).join(", ")}`];
};

const act = recordOf(
  {
    task: sentence,
    goal: condition,
    solution: textOf(64, name),
    solved: recordOf(
      {
        view: recordOf({ step: numberOf(1, 1_000), hop: numberOf(0, 64) }),
        isEqual: oneOf(true, false),
        isProven: oneOf(true, false),
      },
      ["view", "isEqual", "isProven"],
    ),
    score: recordOf({ figure: condition, bound: condition }),
  },
  ["solved", "score"],
);

const view = recordOf(
  {
    text: textOf(64, name),
    tensor: textOf(128),
    step: numberOf(1, 1_000),
    hop: numberOf(0, 64),
    panel: oneOf("plan", "mesh", "tensor", "steps", "run", "program", "costs"),
    fault: recordOf({
      how: oneOf("drop"),
      step: numberOf(0, 100_000),
      collective: textOf(32),
      tensor: textOf(128),
    }),
  },
  ["text", "tensor", "step", "hop", "panel", "fault"],
);

const lessonForm: Form = recordOf({
  id: textOf(64, name),
  title: textOf(120),
  chapter: textOf(60),
  minutes: numberOf(1, 60),
  needs: listOf(textOf(64, name), 0, 8),
  words: listOf(textOf(40), 0, 16),
  texts,
  steps: listOf(
    recordOf(
      {
        say: sentence,
        how: recordOf({ wide: sentence, touch: sentence }),
        show: view,
        ask,
        act,
        reveal: sentence,
        hints: listOf(sentence, 0, 3),
        claims: listOf(condition, 0, 12),
      },
      ["how", "ask", "act"],
    ),
    1,
    mostLessonSteps,
  ),
});
