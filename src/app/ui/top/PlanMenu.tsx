import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { exampleGroups, examples, titleOf } from "#app/state";
import { Popover } from "../atoms/Popover.tsx";
import { keyed } from "../drawing/keyed.ts";
import { pickFile } from "../export/pick-file.ts";
import { useActions, useApp } from "../store-context.tsx";

/** What the document is called; opens the list of examples and drafts. */
export function PlanMenu() {
  const [isOpen, setOpen] = useState(false);
  const title = useApp(titleOf);
  return (
    <div className="menu-wrap">
      <button
        type="button"
        className="btn plan-btn"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={title}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{title}</span>
        <ChevronDown className="ico" size={14} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {isOpen && (
        <Popover className="plan-pop" label="Plans" onClose={() => setOpen(false)}>
          <PlanChoices onChosen={() => setOpen(false)} />
        </Popover>
      )}
    </div>
  );
}

function PlanChoices({ onChosen }: { readonly onChosen: () => void }) {
  const actions = useActions();
  const openGallery = useApp((state) => state.openGallery);
  const [first] = exampleGroups;
  const isLink = useApp((state) => state.document.origin.kind === "link");
  const aside = actions.setAside();
  const doAndClose = (act: () => void) => () => {
    act();
    onChosen();
  };
  return (
    <div className="menu">
      <button type="button" onClick={doAndClose(() => openGallery(true))}>
        All {examples.length} examples
        <small>Drawn, with what each one sends</small>
      </button>
      <button type="button" onClick={doAndClose(() => pickFile(actions))}>
        Open a file
        <small>A text, or a picture with a plan inside</small>
      </button>
      <hr />
      <h3>{first?.title}</h3>
      {first?.examples.map((example) => (
        <button
          type="button"
          key={example.name}
          onClick={doAndClose(() => actions.openExample(example.name))}
        >
          {example.title}
          <small>{example.note}</small>
        </button>
      ))}
      {isLink && (
        <>
          <hr />
          <button type="button" onClick={doAndClose(actions.openDraft)}>
            Open my draft
            <small>Leaves this plan</small>
          </button>
          <button type="button" onClick={doAndClose(actions.keepAsDraft)}>
            Keep this plan as my draft
            <small>The draft so far is set aside</small>
          </button>
        </>
      )}
      {aside.length > 0 && (
        <>
          <hr />
          <h3>Set aside</h3>
          {keyed(aside).map(({ key, item }) => (
            <button
              type="button"
              key={key}
              data-testid="set-aside"
              onClick={doAndClose(() => actions.openSetAside(key))}
            >
              {item}
            </button>
          ))}
        </>
      )}
    </div>
  );
}
