import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { type Example, type ExampleGroup, exampleGroups } from "#app/examples";
import { IconButton } from "../atoms/IconButton.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { useModal } from "../use-modal.ts";
import { GalleryCard } from "./GalleryCard.tsx";
import { matching } from "./matching.ts";

const LessonRow = lazy(async () => ({
  default: (await import("../lesson/LessonRow.tsx")).LessonRow,
}));

/** All examples as cards that are drawn as they come into sight. */
export function GalleryPage() {
  const open = useApp((state) => state.openGallery);
  const page = useModal((dialog) => {
    // On a touch screen the dialog itself takes the focus: a focused field would bring up the
    // keyboard.
    if (matchMedia("(pointer: coarse)").matches) dialog.focus();
  });
  const [words, setWords] = useState("");
  const groups = useMemo(() => matching(exampleGroups, words), [words]);
  useEffect(() => {
    // Following a link closes the gallery, so that the linked plan is seen.
    const close = () => open(false);
    addEventListener("hashchange", close);
    return () => removeEventListener("hashchange", close);
  }, [open]);
  return (
    <dialog
      className="gallery"
      data-testid="gallery"
      tabIndex={-1}
      aria-labelledby="gallery-title"
      ref={page}
      onClose={() => open(false)}
    >
      <header className="gallery-head">
        <h2 id="gallery-title">Examples</h2>
        <Search words={words} onChange={setWords} count={countOf(groups)} />
        <IconButton icon={X} size={18} name="Close the examples" onClick={() => open(false)} />
      </header>
      <div className="gallery-body">
        <Suspense fallback={null}>
          <LessonRow words={words} />
        </Suspense>
        {groups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
        {groups.length === 0 && (
          <p className="gallery-none">
            No example has these words. Try a collective, such as all-gather, or a system, such as
            MindSpore.
          </p>
        )}
      </div>
    </dialog>
  );
}

interface SearchProps {
  readonly words: string;
  readonly onChange: (words: string) => void;
  readonly count: number;
}

function Search({ words, onChange, count }: SearchProps) {
  return (
    <div className="gallery-search">
      <input
        type="search"
        className="field"
        aria-label="Search the examples"
        placeholder="Search"
        value={words}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span className="mut" role="status">
        {count === 1 ? "1 example" : `${count} examples`}
      </span>
    </div>
  );
}

function Group({ group }: { readonly group: ExampleGroup }) {
  const actions = useActions();
  const open = useApp((state) => state.openGallery);
  const start = useApp((state) => state.startPlan);
  const choose = (example: Example) => {
    actions.openExample(example.name);
    open(false);
  };
  const plan = (example: Example) => {
    choose(example);
    void start();
  };
  return (
    <section>
      <h3>{group.title}</h3>
      <ul className="gallery-cards">
        {group.examples.map((example) => (
          <GalleryCard key={example.name} example={example} onChoose={choose} onPlan={plan} />
        ))}
      </ul>
    </section>
  );
}

function countOf(groups: readonly ExampleGroup[]): number {
  return groups.reduce((sum, { examples }) => sum + examples.length, 0);
}
