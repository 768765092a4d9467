import { useEffect, useState } from "react";
import type { SemanticWord } from "#app/language-service";
import { shown } from "#app/state";
import { afterPaint } from "../after-paint.ts";
import { useActions, useApp } from "../store-context.tsx";

/** Semantic words from the worker, with the text that their offsets refer to. */
export interface Words {
  readonly source: string;
  readonly words: readonly SemanticWord[];
}

/** Semantic words of the newest compiled text, a moment after its compilation. */
export function useWords(): Words | undefined {
  const compiled = useApp(shown);
  const source = useApp((state) => state.document.source);
  const { assist } = useActions();
  const [words, setWords] = useState<Words>();
  const isReady = compiled?.source === source;
  useEffect(() => {
    if (!isReady) return;
    let isWanted = true;
    // The request waits for the paint, since the worker uses the processor too.
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
