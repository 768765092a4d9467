import { FileCode, type LucideIcon, Terminal, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { CodeChoice, PlanCode } from "#app/engine";
import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { FixButtons } from "../program/FixButtons.tsx";
import { useActions } from "../store-context.tsx";
import { SaveRow } from "./SaveRow.tsx";
import { saveText } from "./save-picture.ts";

/** The plan as a program of an engine: what it reads like, to copy or to save with its launcher. */
export function CodeSection({ compiled }: { readonly compiled: Compiled }) {
  const [wanted, setWanted] = useState<string>();
  const status = useCode(compiled, wanted);
  return (
    <section className="export" aria-label="Save the plan as code">
      <h3>Save the plan as code that runs</h3>
      {status.code !== undefined && (
        <WrittenPlan code={status.code} target={wanted} onTarget={setWanted} />
      )}
      {status.fault !== undefined && <p role="alert">No code: {status.fault}.</p>}
      {status.code === undefined && status.fault === undefined && (
        <p className="mut">Writing the code…</p>
      )}
    </section>
  );
}

interface CodeStatus {
  /** The last one that came, which stands until the next is there. */
  readonly code?: PlanCode;
  readonly fault?: string;
}

/** The plan as code of an engine, written anew for every plan and every engine. */
function useCode(compiled: Compiled, target: string | undefined): CodeStatus {
  const { writeCode } = useActions();
  const [status, setStatus] = useState<CodeStatus>({});
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
  return status;
}

interface WrittenProps {
  readonly code: PlanCode;
  /** What was chosen, perhaps before its code is there. */
  readonly target: string | undefined;
  readonly onTarget: (target: string) => void;
}

function WrittenPlan({ code, target, onTarget }: WrittenProps) {
  const { choices, chosen, written, warnings } = code;
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

/** What the engine would compute wrongly, and the rewritings that are safe. */
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
