import { exampleGroups, examples } from "#app/state";
import { Popover } from "../atoms/Popover.tsx";
import { keyed } from "../drawing/keyed.ts";
import { pickFile } from "../export/pick-file.ts";
import { useActions, useApp } from "../store-context.tsx";

/** The examples to begin with, files, and the drafts that were set aside. */
export function PlanChoices({ onChosen }: { readonly onChosen: () => void }) {
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
    <Popover className="plan-pop" label="Plans" onClose={onChosen}>
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
    </Popover>
  );
}
