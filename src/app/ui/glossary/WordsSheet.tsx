import { X } from "lucide-react";
import { useState } from "react";
import { lessonOf } from "#app/lessons";
import { fieldOf } from "#core/records";
import { IconButton } from "../atoms/IconButton.tsx";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { type Explained, glossary, isWord, systemsOf } from "./glossary.ts";
import { WordDrawing } from "./WordDrawing.tsx";
import "./words.css";

const all = Object.keys(glossary).sort((a, b) => a.localeCompare(b, "en"));

/** Glossary: the meaning, the cost, and the systems' name of each term. */
export function WordsSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const wanted = useApp((state) => state.word);
  const openWord = useApp((state) => state.openWord);
  const [query, setQuery] = useState("");
  const explained = wanted === undefined ? undefined : fieldOf(glossary, wanted);
  const shown = all.filter((word) => matches(word, query));
  return (
    <SheetDialog className="words" label="Words">
      <div className="sheet-head">
        <h2>Words</h2>
        <input
          type="search"
          className="field"
          data-first
          aria-label="Search the words"
          placeholder="Search"
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      <div className="words-body">
        <section className="words-one" aria-live="polite" data-testid="word">
          {wanted === undefined ? (
            <p className="mut">Choose a word.</p>
          ) : explained === undefined ? (
            <p role="alert">There is no word “{wanted}” here. These there are:</p>
          ) : (
            <OneWord word={wanted} explained={explained} />
          )}
        </section>
        <ul className="words-all">
          {shown.map((word) => (
            <li key={word}>
              <button
                type="button"
                className="btn line"
                aria-current={word === wanted}
                onClick={() => openWord(word)}
              >
                {word}
              </button>
            </li>
          ))}
          {shown.length === 0 && <li>No word has these letters.</li>}
        </ul>
      </div>
    </SheetDialog>
  );
}

function matches(word: string, query: string): boolean {
  const { means = "", elsewhere = {} } = fieldOf(glossary, word) ?? {};
  return [word, means, ...Object.values(elsewhere)]
    .join(" ")
    .toLowerCase()
    .includes(query.trim().toLowerCase());
}

function OneWord({ word, explained }: { readonly word: string; readonly explained: Explained }) {
  const { means, cost, lesson: id, drawing } = explained;
  const { openLesson } = useActions();
  const openSheet = useApp((state) => state.openSheet);
  const lesson = id === undefined ? undefined : lessonOf(id);
  return (
    <>
      <h3>{word}</h3>
      <p>{means}</p>
      {cost !== undefined && (
        <p>
          <b>Each device receives.</b> {cost}
        </p>
      )}
      <WordDrawing key={word} word={word} drawing={drawing} />
      <dl className="words-elsewhere" aria-label="What the systems call it">
        {systemsOf(explained).map(([systems, name]) => (
          <div key={systems}>
            <dt>{systems}</dt>
            <dd className={isWord(name) ? undefined : "mut"}>{name}</dd>
          </div>
        ))}
      </dl>
      {lesson !== undefined && (
        <button
          type="button"
          className="btn line"
          onClick={() => {
            openSheet(undefined);
            openLesson(lesson.id);
          }}
        >
          Lesson: {lesson.title}
        </button>
      )}
    </>
  );
}
