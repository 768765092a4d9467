import { X } from "lucide-react";
import { useEffect, useId, useState } from "react";
import {
  type Lesson,
  lessonOf,
  newLesson,
  readLesson,
  withSolution,
  withStart,
} from "#app/lessons";
import type { LessonDesk } from "#app/state";
import { IconButton } from "../atoms/IconButton.tsx";
import { LessonPanel } from "../lesson/LessonPanel.tsx";
import { useLateDesk } from "../lesson/lesson-desk.ts";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { EditorFaults } from "./EditorFaults.tsx";
import { EditorSave } from "./EditorSave.tsx";
import { TriedPlans } from "./TriedPlans.tsx";
import "./lesson-editor.css";

/** A lesson that is being written: at the left as text, at the right as its reader sees it. */
export function EditorSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const desk = useLateDesk();
  return (
    <SheetDialog className="lesson-editor" label="Write a lesson">
      <div className="sheet-head">
        <h2>Write a lesson</h2>
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      {desk !== undefined && <Editor desk={desk} />}
    </SheetDialog>
  );
}

function Editor({ desk }: { readonly desk: LessonDesk }) {
  const [text, setText] = useDraft(desk);
  const read = readLesson(text);
  const lesson = read.ok ? read.lesson : undefined;
  const at = useApp((state) => state.lesson?.at ?? 0);
  usePreview(desk, text);
  const id = useId();
  const step = Math.min(at, (lesson?.steps.length ?? 1) - 1);
  return (
    <div className="lesson-editor-body">
      <div className="lesson-editor-text">
        <label htmlFor={id}>The lesson as text, in JSON</label>
        <textarea
          id={id}
          data-first
          className="field mono"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Board lesson={lesson} step={step} onChange={setText} />
        <EditorSave text={text} lesson={lesson} onOpen={setText} />
      </div>
      <div className="lesson-editor-view">
        <EditorFaults faults={read.ok ? [] : read.faults} />
        {lesson !== undefined && <LessonPanel />}
        {lesson?.steps[step]?.act !== undefined && (
          <TriedPlans key={`${step} ${text}`} desk={desk} lesson={lesson} at={step} />
        )}
      </div>
    </div>
  );
}

/**
 * The lesson to edit: the one last written, else the reader's own that is open, else a beginning.
 */
function useDraft(desk: LessonDesk): readonly [string, (text: string) => void] {
  const store = useAppStore();
  const [text, setText] = useState(() => {
    const { lesson: opened, document } = store.getState();
    const own = opened && lessonOf(opened.lesson.id) !== opened.lesson ? opened.lesson : undefined;
    return own === undefined ? (desk.draft() ?? printed(newLesson(document.source))) : printed(own);
  });
  const change = (next: string) => {
    setText(next);
    desk.keepDraft(next);
  };
  return [text, change];
}

/** Shows the lesson as its reader sees it, whenever its text can be read. */
function usePreview(desk: LessonDesk, text: string): void {
  const store = useAppStore();
  useEffect(() => {
    const { lesson: opened } = store.getState();
    const read = readLesson(text);
    if (!read.ok || JSON.stringify(opened?.lesson) === JSON.stringify(read.lesson)) return;
    desk.preview(read.lesson, opened?.at ?? 0);
  }, [desk, store, text]);
}

interface BoardProps {
  readonly lesson: Lesson | undefined;
  readonly step: number;
  readonly onChange: (text: string) => void;
}

/** The parts of a step that can be taken from the plan on the board. */
const parts = [
  { part: "start", change: withStart },
  { part: "solution", change: withSolution },
] as const;

/** Puts the plan on the board into the lesson. */
function Board({ lesson, step, onChange }: BoardProps) {
  const board = useApp((state) => state.document.source);
  return (
    <div className="lesson-row">
      <span>The board, in step {step + 1}:</span>
      {parts.map(({ part, change }) => (
        <button
          type="button"
          key={part}
          className="btn line"
          disabled={lesson === undefined}
          onClick={() => lesson && onChange(printed(change(lesson, step, board)))}
        >
          Use the board as this step’s {part}
        </button>
      ))}
    </div>
  );
}

function printed(lesson: Lesson): string {
  return JSON.stringify(lesson, null, 2);
}
