import { createLanguageService, type LanguageService } from "#app/language-service";
import type { Gesture } from "#edit";
import type { Timing } from "./browser/timing.ts";
import { distinctProgram } from "./programs.ts";

const operators = 300;
const rounds = 9;
/** Rounds after which V8 has compiled their code. */
const warmUps = 5;

/** Time of a gesture relative to an edit of the same line, both with all their effects. */
export function gestureTimings(): readonly Timing[] {
  const assistant = createLanguageService(() => performance.now());
  const source = distinctProgram(operators);
  const figures = Array.from({ length: warmUps + rounds }, (_, at) => {
    const edit = editSeconds(assistant, source, at + 1);
    return gestureSeconds(assistant, source, at + 1) / edit;
  });
  return [
    {
      name: `gesture: at ${operators} operators, as a multiple of an edit`,
      ...{ unit: "×", aim: 1.3, figures: figures.slice(warmUps) },
    },
  ];
}

/** Seconds of an edit: the text with another cut of one operator, as typed. */
function editSeconds(assistant: LanguageService, source: string, operator: number): number {
  const line = `strategy(h${operator}, m="dp", ${operator % 2 === 1 ? 'n="mp"' : 'k="mp"'})`;
  const edited = source.replace(line, `strategy(h${operator}, m="dp")`);
  if (edited === source) throw new Error("the line is not there");
  assistant.compile(source);
  return secondsOf(() => assistant.compile(edited));
}

/** Seconds of the same change made by a gesture. */
function gestureSeconds(assistant: LanguageService, source: string, operator: number): number {
  const { tensors } = assistant.compile(source).graph;
  const tensor = tensors.find(({ name }) => name === `h${operator}`);
  if (tensor === undefined) throw new Error("the tensor is not there");
  const gesture: Gesture = { kind: "unsplit", tensor: tensor.id, dim: 0, axis: "dp" };
  return secondsOf(() => {
    const outcome = assistant.gesture(source, gesture);
    if (!outcome.ok) throw new Error(outcome.reason);
    assistant.compile(outcome.source);
  });
}

function secondsOf(act: () => void): number {
  const started = performance.now();
  act();
  return (performance.now() - started) / 1_000;
}
