import { FileCode, type LucideIcon, Terminal, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { CodeChoice, PlanCode } from "#app/engine";
import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { FixButtons } from "../program/FixButtons.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { SaveRow } from "./SaveRow.tsx";
import { saveText } from "./save-picture.ts";

/** The plan as a program of an engine: what it reads like, to copy or to save with its launcher. */
export function CodeSection({ compiled }: { readonly compiled: Compiled }) {
  const [wanted, setWanted] = useState<string>();
  const { status, search } = useCode(compiled, wanted);
  return (
    <section className="export" aria-label="Save the plan as code">
      <h3>Save the plan as code that runs</h3>
      {status.code !== undefined && (
        <WrittenPlan
          code={status.code}
          target={wanted}
          onTarget={setWanted}
          onSearch={status.isSearching === true ? undefined : search}
        />
      )}
      {status.fault !== undefined && <p role="alert">No code: {status.fault}.</p>}
      {status.code === undefined && status.fault === undefined && (
        <p className="mut">Writing the code…</p>
      )}
    </section>
  );
}

interface CodeStatus {
  /** The last code that came; it stands until the next is there. */
  readonly code?: PlanCode;
  readonly fault?: string;
  /** Whether the nearest plan that the engine has words for is being searched. */
  readonly isSearching?: boolean;
}

/**
 * The plan as code of an engine, written anew for every plan and every engine; `search` writes the
 * nearest one in its place.
 */
function useCode(compiled: Compiled, target: string | undefined) {
  const { writeCode, writeNearest } = useActions();
  const [status, setStatus] = useState<CodeStatus>({});
  const shown = useRef(status);
  shown.current = status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written is the plan on screen
  useEffect(() => {
    let isOver = false;
    const settle = (next: CodeStatus) => {
      if (!isOver) setStatus(next);
    };
    writeCode(target).then(
      (code) => code !== undefined && settle({ code }),
      (fault: unknown) => settle({ fault: fault instanceof Error ? fault.message : String(fault) }),
    );
    return () => {
      isOver = true;
    };
  }, [writeCode, compiled, target]);
  const search = () => {
    const before = shown.current;
    if (before.code === undefined) return;
    const searching = { ...before, isSearching: true };
    const settle = (next: CodeStatus) => {
      // Code of a plan or an engine that is no longer chosen is not shown.
      if (shown.current === searching) setStatus(next);
    };
    setStatus(searching);
    writeNearest(before.code.chosen.target).then(
      (code) => {
        if (typeof code === "string") settle({ ...before, fault: code });
        else settle(code === undefined ? before : { code });
      },
      (fault: unknown) =>
        settle({ ...before, fault: fault instanceof Error ? fault.message : String(fault) }),
    );
  };
  return { status, search };
}

interface WrittenProps {
  readonly code: PlanCode;
  /** The chosen target, perhaps before its code is there. */
  readonly target: string | undefined;
  readonly onTarget: (target: string) => void;
  /** Searches for another plan; absent while that is under way. */
  readonly onSearch: (() => void) | undefined;
}

function WrittenPlan({ code, target, onTarget, onSearch }: WrittenProps) {
  const { choices, chosen, written, warnings, source } = code;
  const shown = useRef<HTMLTextAreaElement>(null);
  const [plan, launch] = written.ok ? written.files : [];
  return (
    <>
      <div className="export-row">
        <Segmented
          label="Code for"
          value={target ?? chosen.target}
          choices={choices.map(({ target, name }) => [target, name] as const)}
          onChange={onTarget}
        />
        <span className="mut">{chosen.what}</span>
        {plan !== undefined && (
          <CopyButton
            className="btn"
            text={plan.text}
            label="the code"
            onRefused={() => shown.current?.select()}
          />
        )}
      </div>
      {warnings.map((warning) => (
        <Warning key={warning.code} warning={warning} />
      ))}
      {written.ok && written.note !== undefined && <p className="mut">{written.note}</p>}
      {!written.ok && <p role="alert">No code: {written.reason}.</p>}
      {!written.ok && written.hasOthers && (
        <button
          type="button"
          className="btn"
          aria-disabled={onSearch === undefined}
          onClick={onSearch}
        >
          {onSearch === undefined ? "Searching…" : "Write the fastest plan that has words"}
        </button>
      )}
      {source !== undefined && <TakePlan source={source} />}
      {plan !== undefined && launch !== undefined && (
        <>
          <textarea
            ref={shown}
            readOnly
            rows={12}
            wrap="off"
            aria-label="The code"
            value={plan.text}
          />
          <SaveFiles chosen={chosen} plan={plan} launch={launch} />
        </>
      )}
    </>
  );
}

/** Puts the plan that is written into the text, in place of its own. */
function TakePlan({ source }: { readonly source: string }) {
  const commit = useApp((state) => state.commit);
  const take = () => commit(source, "Take the plan that is written");
  return (
    <button type="button" className="btn" onClick={take}>
      Put this plan into the text
    </button>
  );
}

type CodeFile = Extract<PlanCode["written"], { readonly ok: true }>["files"][number];

interface SaveFilesProps {
  readonly chosen: CodeChoice;
  readonly plan: CodeFile;
  readonly launch: CodeFile;
}

function SaveFiles({ chosen, plan, launch }: SaveFilesProps) {
  const checks = {
    numbers: "checks itself where it runs",
    compiled: "checks itself with --verify, on no card",
    nothing: "beside the model, which train.py calls",
  }[chosen.compares];
  return (
    <div className="save-list">
      <SaveFile icon={FileCode} name="Save code" what={checks} file={plan} />
      <SaveFile icon={Terminal} name="Save launcher" what="a script for Slurm" file={launch} />
    </div>
  );
}

/** The computation that an engine does wrongly, and the safe ways to rewrite the program. */
function Warning({ warning: { message, fixes = [] } }: { readonly warning: Diagnostic }) {
  return (
    <div className="prob" role="note">
      <TriangleAlert className="ico w" size={15} strokeWidth={1.75} aria-hidden />
      <p>{message}.</p>
      <FixButtons fixes={fixes} />
    </div>
  );
}

interface SaveFileProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly what: string;
  readonly file: CodeFile;
}

function SaveFile({ icon, name, what, file }: SaveFileProps) {
  const save = () => saveText(file.text, file.name);
  return <SaveRow icon={icon} name={name} what={`${file.name}, ${what}`} onSave={save} />;
}
