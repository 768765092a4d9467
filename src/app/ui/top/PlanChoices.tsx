import { everyExample, models } from "#app/examples";
import { listTexts, timeOf } from "#app/texts";
import { Popover } from "../atoms/Popover.tsx";
import { copyLink } from "../export/copy-link.ts";
import { pickFile } from "../export/pick-file.ts";
import { timeWords } from "../plans/plan-line.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";

/** Most plans in the menu; the sheet lists all. */
const mostRecent = 5;

/** Menu of the user's plans, starting examples, and files. */
export function PlanChoices({ onChosen }: { readonly onChosen: () => void }) {
  const actions = useActions();
  const store = useAppStore();
  const openGallery = useApp((state) => state.openGallery);
  const openSheet = useApp((state) => state.openSheet);
  const { kept, isEdited, from } = useApp((state) => state.shownText);
  const doAndClose = (act: () => void) => () => {
    act();
    onChosen();
  };
  return (
    <Popover className="plan-pop" label="Plans" onClose={onChosen}>
      <div className="menu">
        <button type="button" onClick={doAndClose(() => openSheet("plans"))}>
          All my plans
          <small>Rename, duplicate, delete (Ctrl Shift O)</small>
        </button>
        <button type="button" onClick={doAndClose(() => openGallery(true))}>
          All {everyExample.length} examples
          <small>Drawn, with what each one sends</small>
        </button>
        <button type="button" onClick={doAndClose(() => pickFile(actions))}>
          Open a file
          <small>A text, or a picture with a plan inside</small>
        </button>
        <button type="button" onClick={doAndClose(() => void copyLink(store, actions))}>
          Copy link to this
          <small>
            {kept === "no" ? "With the plan inside" : "The address of this page is for you alone"}
          </small>
        </button>
        <button type="button" onClick={doAndClose(actions.newPlan)}>
          New plan
        </button>
        {kept === "no" && from.kind === "link" && (
          <button type="button" onClick={doAndClose(actions.keepPlan)}>
            Keep this plan as my draft
            <small>It is kept anyway from its first edit on</small>
          </button>
        )}
        {!isEdited && actions.hasDraft() && (
          <button type="button" onClick={doAndClose(actions.openDraft)}>
            Open my draft
            <small>The plan that you edited last</small>
          </button>
        )}
        <Recent doAndClose={doAndClose} />
        <ModelExamples doAndClose={doAndClose} />
      </div>
    </Popover>
  );
}

interface MenuPartProps {
  /** Handler of a press that does an action and closes the menu. */
  readonly doAndClose: (act: () => void) => () => void;
}

/** Most recently edited plans, without the one on screen. */
function Recent({ doAndClose }: MenuPartProps) {
  const { shelf, openPlan } = useActions();
  const shown = useApp((state) => state.shownText.id);
  const others = listTexts(shelf)
    .flatMap((each) => (each.kind === "text" ? [each.text] : []))
    .filter(({ id }) => id !== shown)
    .slice(0, mostRecent);
  if (others.length === 0) return null;
  return (
    <>
      <hr />
      <h3>My plans</h3>
      {others.map((text) => (
        <button
          type="button"
          key={text.id}
          data-testid="recent-plan"
          onClick={doAndClose(() => openPlan(text.id))}
        >
          {text.name}
          <small>{timeWords(timeOf(text), shelf.now())}</small>
        </button>
      ))}
    </>
  );
}

/** Examples that are whole models, with a note on each. */
function ModelExamples({ doAndClose }: MenuPartProps) {
  const { openExample } = useActions();
  return (
    <>
      <hr />
      <h3>Models</h3>
      {models.map((example) => (
        <button
          type="button"
          key={example.name}
          onClick={doAndClose(() => openExample(example.name))}
        >
          {example.title}
          <small>{example.note}</small>
        </button>
      ))}
    </>
  );
}
