import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import {
  type Answer,
  type Ask,
  figureOf,
  isRight,
  mistakeOf,
  plainSentence,
  rightCells,
  rightOrder,
  type World,
} from "#app/lessons";
import { formatBytes, formatCount, formatSeconds } from "#app/scene/text";
import { readNumber } from "./answers.ts";
import { CellsField } from "./CellsField.tsx";
import { useLessonDesk } from "./lesson-desk.ts";
import { OrderField, startOrder } from "./OrderField.tsx";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly ask: Ask;
  readonly answer: Answer | undefined;
  readonly world: World | undefined;
}

/** Question of a step, which is answered once, before the result is revealed. */
export function AskForm({ ask, answer, world }: Props) {
  const [draft, setDraft] = useState(() => firstDraft(ask));
  const [hasFault, setFault] = useState(false);
  const { answer: give } = useLessonDesk();
  const isGiven = answer !== undefined;
  const verdict = useVerdictFocus(isGiven);
  const send = () => {
    if (draft === undefined) setFault(true);
    else give(draft);
  };
  return (
    <form
      className="lesson-ask"
      data-testid="lesson-ask"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <fieldset>
        <legend>
          <SentenceView sentence={ask.question} world={world} />
        </legend>
        <Field
          ask={ask}
          value={answer ?? draft}
          isGiven={isGiven}
          world={world}
          onChange={(next) => {
            setDraft(next);
            setFault(false);
          }}
        />
      </fieldset>
      {isGiven ? (
        <p
          role="status"
          className="lesson-verdict"
          data-testid="lesson-verdict"
          ref={verdict}
          tabIndex={-1}
          data-right={world && isRight(ask, answer, world)}
        >
          <Verdict ask={ask} answer={answer} world={world} />
        </p>
      ) : (
        <AnswerButtons
          isReady={world !== undefined}
          fault={hasFault ? missing[ask.kind] : undefined}
          onUnsure={() => give({ kind: "unsure" })}
        />
      )}
    </form>
  );
}

/** Ref for the verdict, which gets the focus once: when the answer is given. */
function useVerdictFocus(isGiven: boolean) {
  const wasGiven = useRef(isGiven);
  const verdict = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The pressed button is removed, so the verdict gets the focus.
    if (isGiven && !wasGiven.current) verdict.current?.focus({ preventScroll: true });
    wasGiven.current = isGiven;
  }, [isGiven]);
  return verdict;
}

interface AnswerButtonsProps {
  /** Whether the program is compiled, so that an answer can be judged. */
  readonly isReady: boolean;
  readonly fault: string | undefined;
  readonly onUnsure: () => void;
}

/** Buttons that submit the answer or say that the user does not know it. */
function AnswerButtons({ isReady, fault, onUnsure }: AnswerButtonsProps) {
  return (
    <div className="lesson-row">
      <button type="submit" className="btn solid" disabled={!isReady}>
        Answer
      </button>
      <button type="button" className="btn line" onClick={onUnsure}>
        I do not know
      </button>
      {fault !== undefined && <span role="alert">{fault}</span>}
    </div>
  );
}

/** Initial answer: for a question about order the initial order, else `undefined`. */
function firstDraft(ask: Ask): Answer | undefined {
  return ask.kind === "order" ? { kind: "order", order: startOrder(ask) } : undefined;
}

const missing: Readonly<Record<Ask["kind"], string>> = {
  choice: "Choose one first.",
  number: "Write a number with its unit, such as 1.5 MB.",
  cells: "Choose cells first.",
  order: "Move them first.",
};

interface FieldProps {
  readonly ask: Ask;
  readonly value: Answer | undefined;
  readonly isGiven: boolean;
  readonly world: World | undefined;
  readonly onChange: (answer: Answer | undefined) => void;
}

function Field({ ask, value, isGiven, world, onChange }: FieldProps) {
  switch (ask.kind) {
    case "choice":
      return <ChoiceField {...{ ask, value, isGiven, world, onChange }} />;
    case "number":
      return <NumberField {...{ ask, isGiven, onChange }} />;
    case "cells":
      return (
        <CellsField
          ask={ask}
          cells={value?.kind === "cells" ? value.cells : []}
          right={isGiven && world !== undefined ? rightCells(ask, world.now) : undefined}
          isGiven={isGiven}
          onChange={(cells) => onChange(cells.length === 0 ? undefined : { kind: "cells", cells })}
        />
      );
    case "order":
      return (
        <OrderField
          ask={ask}
          order={value?.kind === "order" ? value.order : undefined}
          world={world}
          isGiven={isGiven}
          onChange={(order) => onChange({ kind: "order", order })}
        />
      );
  }
}

function ChoiceField({
  ask,
  value,
  isGiven,
  world,
  onChange,
}: Omit<FieldProps, "ask"> & { readonly ask: Extract<Ask, { kind: "choice" }> }) {
  const name = useId();
  return (
    <ul className="lesson-choices">
      {ask.options.map(({ text, isRight: isTrue }, at) => (
        <li key={text} data-right={isGiven ? isTrue : undefined}>
          <label>
            <input
              type="radio"
              name={name}
              checked={value?.kind === "choice" && value.at === at}
              disabled={isGiven}
              onChange={() => onChange({ kind: "choice", at })}
            />
            <span>
              <SentenceView sentence={text} world={world} />
              {isGiven && isTrue && <b className="lesson-right"> Right</b>}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

const unitWords = { bytes: "Bytes", seconds: "Seconds", count: "A number" } as const;

function NumberField({
  ask,
  isGiven,
  onChange,
}: Pick<FieldProps, "isGiven" | "onChange"> & { readonly ask: Extract<Ask, { kind: "number" }> }) {
  return (
    <label className="lesson-number">
      {unitWords[ask.unit]}
      <input
        type="text"
        className="field"
        inputMode="decimal"
        autoComplete="off"
        disabled={isGiven}
        onChange={({ currentTarget }) => {
          const value = readNumber(currentTarget.value, ask.unit === "bytes");
          onChange(value === undefined ? undefined : { kind: "number", value });
        }}
      />
      <span className="mut">within {percentOf(ask.tolerance)}</span>
    </label>
  );
}

/** Share as written in a lesson, such as `3 %`: it is not a measured figure. */
function percentOf(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

interface VerdictProps {
  readonly ask: Ask;
  readonly answer: Answer;
  readonly world: World | undefined;
}

/** Whether the answer is right, and for a wrong one the reason. */
function Verdict({ ask, answer, world }: VerdictProps) {
  if (world === undefined) return "Working it out";
  const right = isRight(ask, answer, world);
  const says = mistakeOf(ask, answer, world);
  const head = answer.kind === "unsure" ? "Then see." : right ? "Right." : "Not so.";
  return (
    <>
      <b>{head}</b> {!right && <RightAnswer ask={ask} world={world} />}
      {says !== undefined && <SentenceView sentence={says} world={world} />}
    </>
  );
}

function RightAnswer({ ask, world }: { readonly ask: Ask; readonly world: World }): ReactNode {
  if (ask.kind === "number") {
    const value = figureOf(ask.value, world);
    if (value.kind !== "number") return "Nobody knows the number. ";
    const format = { bytes: formatBytes, seconds: formatSeconds, count: formatCount }[ask.unit];
    return `It is ${format(value.value)}. `;
  }
  if (ask.kind === "order") {
    const order = rightOrder(ask, world) ?? [];
    return `The right order: ${order.map((at) => plainSentence(ask.items[at]?.text ?? "", world)).join("; ")}. `;
  }
  return null;
}
