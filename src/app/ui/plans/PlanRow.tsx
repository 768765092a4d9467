import { Copy, Download, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  duplicateText,
  idOf,
  type KeptText,
  type ListedText,
  rawText,
  removeText,
  renameText,
  saveUnsaved,
  timeOf,
} from "#app/texts";
import { IconButton } from "../atoms/IconButton.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions, useApp } from "../store-context.tsx";
import { fileNameOf, lineOf, timeWords } from "./plan-line.ts";
import { refusalWords } from "./refusal-words.ts";

interface Props {
  readonly listed: ListedText;
  /** Reports why an action failed. */
  readonly onFault: (fault: string | undefined) => void;
}

/** Stored plan: its name opens it; buttons rename, duplicate and delete it. */
export function PlanRow({ listed, onFault }: Props) {
  return listed.kind === "text" ? (
    <TextRow text={listed.text} isSaved={listed.isSaved} onFault={onFault} />
  ) : (
    <UnreadableRow listed={listed} />
  );
}

interface TextRowProps extends Pick<Props, "onFault"> {
  readonly text: KeptText;
  readonly isSaved: boolean;
}

function TextRow({ text, isSaved, onFault }: TextRowProps) {
  const { shelf, listChanged } = useActions();
  const isShown = useApp((state) => state.shownText.id === text.id);
  const remove = useRemove();
  const [isRenaming, setRenaming] = useState(false);
  const doAndTell = (isDone: boolean) => {
    onFault(isDone ? undefined : refusalWords(shelf.storage));
    listChanged();
  };
  return (
    <li data-testid="plan-row" aria-current={isShown ? "true" : undefined}>
      {isRenaming ? (
        <NameField
          name={text.name}
          onDone={(name) => {
            setRenaming(false);
            if (name !== undefined) doAndTell(renameText(shelf, text.id, name));
          }}
        />
      ) : (
        <OpenButton text={text} />
      )}
      <EditTime text={text} isSaved={isSaved} isShown={isShown} />
      <span className="plan-tools">
        <IconButton
          icon={Pencil}
          name={`Rename ${text.name}`}
          data-does="rename"
          onClick={() => setRenaming(true)}
        />
        <IconButton
          icon={Copy}
          name={`Duplicate ${text.name}`}
          onClick={() => doAndTell(duplicateText(shelf, text) !== undefined)}
        />
        <IconButton
          icon={Trash2}
          name={`Delete ${text.name}`}
          data-does="delete"
          onClick={() => remove(text.id, text.name)}
        />
      </span>
    </li>
  );
}

/** Name and first line of a plan; a press closes the sheet and opens the plan. */
function OpenButton({ text }: Pick<TextRowProps, "text">) {
  const { openPlan } = useActions();
  const openSheet = useApp((state) => state.openSheet);
  return (
    <button
      type="button"
      className="plan-open"
      data-does="open"
      onClick={() => {
        openSheet(undefined);
        openPlan(text.id);
      }}
    >
      <b>{text.name}</b>
      <small>{lineOf(text)}</small>
    </button>
  );
}

interface EditTimeProps extends Pick<TextRowProps, "text" | "isSaved"> {
  readonly isShown: boolean;
}

/** Time of a plan's last edit, after tags for where it is open and whether it is saved. */
function EditTime({ text, isSaved, isShown }: EditTimeProps) {
  const { shelf } = useActions();
  return (
    <span className="plan-time mut">
      {isShown && <span className="tag">shown</span>}
      {!isSaved && <span className="tag">not saved</span>}
      {!isShown && shelf.elsewhere().has(text.id) && <span className="tag">in another tab</span>}
      <time dateTime={new Date(timeOf(text)).toISOString()}>
        {timeWords(timeOf(text), shelf.now())}
      </time>
    </span>
  );
}

/** Returns a function that deletes a text and remembers it for undo. */
function useRemove() {
  const { shelf, listChanged, keepPlan } = useActions();
  const shown = useApp((state) => state.shownText);
  const rememberRemoved = useApp((state) => state.rememberRemoved);
  return (id: KeptText["id"], name: string) => {
    const wasShown = id === shown.id;
    rememberRemoved({ text: removeText(shelf, id), name, wasShown });
    // The deletion may have made room for a text that could not be saved before.
    if (!wasShown && (shown.kept === "tab" || shown.kept === "page")) keepPlan();
    saveUnsaved(shelf);
    listChanged();
  };
}

interface NameFieldProps {
  readonly name: string;
  /** Called with the new name, or with `undefined` if the old one stays. */
  readonly onDone: (name: string | undefined) => void;
}

function NameField({ name, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(name);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const given = value.trim();
  const done = () => onDone(given === "" || given === name ? undefined : given);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    done();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // Escape ends the renaming and must not also close the sheet.
    event.preventDefault();
    event.stopPropagation();
    onDone(undefined);
  };
  return (
    <form className="plan-name" onSubmit={onSubmit}>
      <input
        ref={field}
        className="field"
        aria-label={`Name of ${name}`}
        value={value}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={done}
      />
    </form>
  );
}

/**
 * Stored entry that is damaged or of a newer version: it can only be saved as a file or deleted.
 */
function UnreadableRow({ listed }: { readonly listed: ListedText & { kind: "unreadable" } }) {
  const remove = useRemove();
  const name = `Entry ${idOf(listed)}`;
  const text = rawText(listed.entry);
  return (
    <li data-testid="plan-row">
      <span className="plan-open">
        <b>{name}</b>
        <small>It cannot be read: it is damaged, or of a newer version.</small>
      </span>
      <span className="plan-tools">
        <IconButton
          icon={Download}
          name={`Save ${name} as a file`}
          onClick={() => saveText(text, fileNameOf(name, text))}
        />
        <IconButton
          icon={Trash2}
          name={`Delete ${name}`}
          data-does="delete"
          onClick={() => remove(idOf(listed), name)}
        />
      </span>
    </li>
  );
}
