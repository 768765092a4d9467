import { useEffect, useMemo, useState } from "react";
import { shown } from "#app/state";
import { useActions, useApp } from "../store-context.tsx";

/** Milliseconds of work before a note of it is shown. */
const quietFor = 300;

/** A note that the text is being compiled, for how long, with a button that stops it. */
export function WorkNote() {
  const isWorking = useApp((state) => state.pending > 0);
  const opening = useApp((state) => state.document.opening);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWorking) return;
    const handle = setTimeout(() => setSlow(true), quietFor);
    return () => {
      clearTimeout(handle);
      setSlow(false);
    };
  }, [isWorking]);
  return isWorking && isSlow ? <Working key={opening} /> : null;
}

/** Counted without splitting the text into what may be hundreds of thousands of lines. */
function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function Working() {
  const { stopWork } = useActions();
  const operators = useApp((state) => shown(state)?.graph.operators.length);
  const source = useApp((state) => state.document.source);
  const lines = useMemo(() => linesOf(source), [source]);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const handle = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(handle);
  }, []);
  const isLoaded = useApp((state) => state.isCompilerLoaded);
  const size = operators === undefined ? `${lines} lines` : `${operators} operators`;
  return (
    <p className="stale-note" role="status" data-testid="work-note">
      <span>
        {isLoaded ? `Working out ${size}` : "Loading the compiler"}
        {seconds > 0 && `, ${seconds} s`}
      </span>
      <button type="button" className="lk" onClick={stopWork}>
        Stop
      </button>
    </p>
  );
}
