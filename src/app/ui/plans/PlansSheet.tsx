import { X } from "lucide-react";
import { useMemo, useState } from "react";
import {
  idOf,
  type ListedText,
  listTexts,
  mostUnnamed,
  restoreText,
  type Shelf,
  textsWith,
} from "#app/texts";
import { IconButton } from "../atoms/IconButton.tsx";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { PlanRow } from "./PlanRow.tsx";
import { moveInRows } from "./row-keys.ts";

/** Texts stored in this browser: names, descriptions, and times of the last edit. */
export function PlansSheet() {
  const { shelf } = useActions();
  const changed = useApp((state) => state.textsChanged);
  const [query, setQuery] = useState("");
  const [fault, setFault] = useState<string>();
  const all = useMemo(() => readList(shelf, changed), [shelf, changed]);
  const listed = useMemo(() => textsWith(all, query), [all, query]);
  return (
    <SheetDialog className="plans" label="Plans">
      <PlansHead />
      <div className="plans-search">
        <input
          data-first
          className="field"
          type="search"
          aria-label="Search the plans"
          placeholder="Search"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <span className="mut" role="status">
          {listed.length === 1 ? "1 plan" : `${listed.length} plans`}
        </span>
      </div>
      <ul className="plans-list" onKeyDown={moveInRows}>
        {listed.map((each) => (
          <PlanRow key={idOf(each)} listed={each} onFault={setFault} />
        ))}
      </ul>
      {listed.length === 0 && (
        <p className="plans-none">
          {all.length === 0
            ? "Nothing is kept yet: a plan is kept here from its first edit on."
            : "No plan has these words."}
        </p>
      )}
      {fault !== undefined && (
        <p className="plans-none" role="alert">
          {fault}
        </p>
      )}
      <Removed />
      <p className="plans-foot mut">
        Kept in this browser alone: every plan with a name, and the {mostUnnamed} newest of the
        others.
      </p>
    </SheetDialog>
  );
}

/** Head of the sheet, with buttons that begin a new plan or close the sheet. */
function PlansHead() {
  const { newPlan } = useActions();
  const openSheet = useApp((state) => state.openSheet);
  return (
    <div className="sheet-head">
      <h2>Plans</h2>
      <span className="plans-head">
        <button
          type="button"
          className="btn line"
          onClick={() => {
            openSheet(undefined);
            newPlan();
          }}
        >
          New plan
        </button>
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </span>
    </div>
  );
}

/** Stored texts; `_changed` only makes the memoised list depend on the number of changes. */
function readList(shelf: Shelf, _changed: number): readonly ListedText[] {
  return listTexts(shelf);
}

/** Last deleted plan, with a button that restores it. */
function Removed() {
  const { shelf, listChanged, openPlan } = useActions();
  const removed = useApp((state) => state.removed);
  const rememberRemoved = useApp((state) => state.rememberRemoved);
  if (removed === undefined) return null;
  const undo = () => {
    restoreText(shelf, removed.text);
    rememberRemoved(undefined);
    if (removed.wasShown) openPlan(removed.text.id);
    listChanged();
  };
  return (
    <p className="plans-removed" role="status">
      <span>“{removed.name}” was deleted.</span>
      <button type="button" className="btn line" onClick={undo}>
        Undo
      </button>
    </p>
  );
}
