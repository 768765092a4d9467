import type { OpenFailure } from "#app/state";
import { capitalized } from "#core/diagnostics";
import { BrandMark } from "./atoms/Brand.tsx";
import { useActions, useApp } from "./store-context.tsx";

const titles: Readonly<Record<OpenFailure["refusal"], string>> = {
  damaged: "This link arrived damaged",
  newer: "This link needs a newer version",
  "not-loaded": "A part of the page did not load",
  "too-large": "This link is too large",
  "not-a-link": "This is not a link to a plan",
};

const advice: Readonly<Record<OpenFailure["refusal"], string>> = {
  damaged:
    "Some chats shorten or break long links. Ask for the link again, or for the text itself.",
  newer: "Reload the page to get the newest version, then open the link again.",
  "not-loaded": "Reload the page once there is a network, and the link opens.",
  "too-large": "Ask for the text of the plan and paste it into the program.",
  "not-a-link": "A link to a plan has #p=, #src= or #example= behind the address.",
};

/** Name of the example that a first visit opens too. */
const first = "two-matmuls";

/**
 * The page for a link that was not opened: the reason, with counts, and remedies. The draft is not
 * touched.
 */
export function RefusalPage({ refused }: { readonly refused: OpenFailure }) {
  const actions = useActions();
  const { kept, isEdited, name } = useApp((state) => state.shownText);
  const refuse = useApp((state) => state.refuse);
  const hasDraft = actions.hasDraft();
  const title = titles[refused.refusal];
  const message = capitalized(refused.message);
  return (
    <div className="page" data-testid={`refused-${refused.refusal}`} data-ready="idle">
      <main>
        <span className="brand">
          <BrandMark />
          Shardboard
        </span>
        <h1>{title}</h1>
        <p role="alert" className={message === title ? "vh" : undefined}>
          {message}.
        </p>
        <p>{advice[refused.refusal]}</p>
        {hasDraft && <p className="mut">Your own plans are untouched.</p>}
        <div className="row">
          {hasDraft && (
            <button type="button" className="btn solid" onClick={actions.openDraft}>
              Open my draft
            </button>
          )}
          {kept !== "no" && !isEdited && (
            <button type="button" className="btn line" onClick={() => refuse(undefined)}>
              Back to {name}
            </button>
          )}
          <button
            type="button"
            className={`btn ${hasDraft ? "line" : "solid"}`}
            onClick={() => actions.openExample(first)}
          >
            Open the first example
          </button>
        </div>
      </main>
    </div>
  );
}
