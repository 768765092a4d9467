import { useEffect, useState } from "react";
import type { SemanticWord } from "#app/language-service";
import { shown } from "#app/state";
import { afterPaint } from "../after-paint.ts";
import { useActions, useApp } from "../store-context.tsx";

/** Words that the worker classifies, with the text that they belong to. */
export interface Words {
  readonly source: string;
  readonly words: readonly SemanticWord[];
}

/** The words of the newest text, a moment after it has been compiled. */
export function useWords(): Words | undefined {
  const compiled = useApp(shown);
  const source = useApp((state) => state.document.source);
  const { assist } = useActions();
  const [words, setWords] = useState<Words>();
  const isReady = compiled?.source === source;
  useEffect(() => {
    if (!isReady) return;
    let isWanted = true;
    // The worker first serves the drawing.
    const callOff = afterPaint(() => {
      void assist({ kind: "words" }).then((reply) => {
        if (isWanted && reply?.kind === "words") setWords({ source, words: reply.words });
      });
    });
    return () => {
      isWanted = false;
      callOff();
    };
  }, [isReady, source, assist]);
  return words;
}
