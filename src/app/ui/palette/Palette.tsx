import { Search } from "lucide-react";
import {
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Icon } from "../atoms/Icon.tsx";
import { useScreen } from "../screen.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { appCommands } from "./app-commands.ts";
import { type Command, found } from "./command.ts";
import { keysHere } from "./keys-here.ts";
import { planCommands } from "./plan-commands.ts";
import { SheetDialog } from "./SheetDialog.tsx";
import type { TakeTyped } from "./use-typed-ahead.ts";

/** Finds commands, places of the plan and examples by a few letters. */
export function Palette({ takeTyped }: { readonly takeTyped: TakeTyped }) {
  const store = useAppStore();
  const actions = useActions();
  const recents = useApp((state) => state.recents);
  const screen = useScreen();
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState(0);
  // In the commit that draws the palette, so that the next letter is appended to these.
  useLayoutEffect(() => {
    const typed = takeTyped();
    setQuery((query) => query + typed);
  }, [takeTyped]);
  const commands = useMemo(() => {
    const state = store.getState();
    return [...appCommands(state, actions, screen), ...planCommands(state, actions)];
  }, [store, actions, screen]);
  const listed = useMemo(() => found(commands, query, recents), [commands, query, recents]);
  const at = Math.min(wanted, listed.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined || command.disabled !== undefined) return;
    store.getState().openSheet(undefined);
    store.getState().remember(command.id);
    // After the dialog has given the focus back.
    requestAnimationFrame(command.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setWanted((at + step + listed.length) % Math.max(1, listed.length));
    else if (event.key === "Enter") run(listed[at]);
    else return;
    event.preventDefault();
  };
  return (
    <SheetDialog className="palette" label="Find or do">
      <Query
        query={query}
        active={listed[at]}
        onChange={(text) => {
          setQuery(text);
          setWanted(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Found commands={listed} at={at} onChoose={run} />
    </SheetDialog>
  );
}

interface QueryProps {
  readonly query: string;
  readonly active: Command | undefined;
  readonly onChange: (query: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const listId = "palette-list";

function Query({ query, active, onChange, onKeyDown }: QueryProps) {
  const hint = useId();
  return (
    <div className="palette-query">
      <Icon icon={Search} />
      <input
        data-first
        data-testid="palette-query"
        role="combobox"
        aria-label="Find or do"
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-describedby={hint}
        aria-activedescendant={active === undefined ? undefined : rowId(active)}
        placeholder="A command, operator, tensor, axis or example"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span className="vh" id={hint}>
        Arrows choose, Enter does it, Escape closes.
      </span>
    </div>
  );
}

interface FoundProps {
  readonly commands: readonly Command[];
  readonly at: number;
  readonly onChoose: (command: Command) => void;
}

function Found({ commands, at, onChoose }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <>
      <div className="palette-list" role="listbox" aria-label="Found" id={listId} ref={list}>
        {commands.map((command, index) => (
          <button
            type="button"
            key={command.id}
            id={rowId(command)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-disabled={command.disabled !== undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(command)}
          >
            <span className="what">{command.title}</span>
            {command.disabled === undefined ? (
              <span className="kind">{command.group === "command" ? "" : command.group}</span>
            ) : (
              <span className="kind">{command.disabled}</span>
            )}
            {command.keys !== undefined && <kbd>{keysHere(command.keys)}</kbd>}
          </button>
        ))}
      </div>
      {commands.length === 0 && <p className="palette-none">Nothing here is called that.</p>}
      <p className="vh" role="status">
        {commands.length === 1 ? "1 found" : `${commands.length} found`}
      </p>
    </>
  );
}

function rowId({ id }: Command): string {
  return `palette-${id.replace(/\W+/gu, "-")}`;
}
